import Type, { type Static, type TSchema } from 'typebox';
import { createTenant as createTenantRoute } from '@keywright/contract/routes/tenants';
import { closed } from '@keywright/contract/shape';
import { Compile } from '../../../platform/compile.ts';
import type { Database } from '../../../platform/db/database.ts';
import { migrate, type Migrated } from '../../../platform/db/migrate.ts';
import { SchemaAhead, findSchemaState } from '../../../platform/db/schema-state.ts';
import { rotateMasterKey } from '../installation/index.ts';
import { requireMasterKeyOnNodes } from '../nodes/index.ts';
import {
  createAdministrator,
  createTenant,
  deleteTenant,
  listTenantKeys,
  listTenants,
  recoverAdministrator,
  rotateTenantKey,
  showTenant,
} from './tenants.ts';
import { type FileVerificationInput, verifyDatabase, verifyFile } from './audit-logs.ts';
import { OperatorError, ACTOR, type Operator } from './operator.ts';
import { afterRestore } from './restore.ts';
import { exportTenant, importTenant } from './transfer.ts';

const Text = Type.String({ minLength: 1, maxLength: 1024 });

export interface Command {
  readonly arguments: TSchema;
  /** Whether the command can create a missing embedded database. */
  readonly mayCreateDatabase: boolean;
  readonly run: (operator: Operator, input: unknown) => Promise<object>;
  /** Executes the command without a database and environment; undefined if its arguments need them. */
  readonly runApart?: (input: unknown) => Promise<object> | undefined;
}

function command<S extends TSchema>(
  schema: S,
  run: (operator: Operator, input: Static<S>) => Promise<object>,
  mayCreateDatabase = false,
): Command {
  return {
    arguments: schema,
    mayCreateDatabase,
    run: (operator, input) => run(operator, input as Static<S>),
  };
}

/** Runs the command after checking that the schema matches this version. */
function onCurrentSchema<Input>(
  run: (operator: Operator, input: Input) => Promise<object>,
): (operator: Operator, input: Input) => Promise<object> {
  return async (operator, input) => {
    await requireCurrentSchema(operator.database);
    return run(operator, input);
  };
}

const anExport = { file: Type.Optional(Text), key_set: Type.Optional(Text) };

const { name, slug, domains } = createTenantRoute.body.properties;

/** The commands by name, except `doctor`, which also works without a database. */
const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: command(closed({}), migrateDatabase, true),
  'admin create': command(
    closed({ identifier: Text, secret: Type.Optional(Text) }),
    onCurrentSchema(createAdministrator),
  ),
  'admin recover': command(
    closed({ identifier: Text, secret: Type.Optional(Text) }),
    onCurrentSchema(recoverAdministrator),
  ),
  'tenant create': command(
    closed({ name, slug, domains, admin_identifier: Type.Optional(Text) }),
    onCurrentSchema(createTenant),
  ),
  'tenant list': command(
    closed({
      search: Type.Optional(Text),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
      after: Type.Optional(Text),
    }),
    onCurrentSchema(listTenants),
  ),
  'tenant show': command(closed({ tenant: Text }), onCurrentSchema(showTenant)),
  'tenant delete': command(closed({ tenant: Text }), onCurrentSchema(deleteTenant)),
  'tenant export': command(
    closed({ tenant: Text, file: Text, passphrase: Text }),
    onCurrentSchema(exportTenant),
  ),
  'tenant import': command(closed({ file: Text, passphrase: Text }), onCurrentSchema(importTenant)),
  'key list': command(closed({ tenant: Text }), onCurrentSchema(listTenantKeys)),
  'key rotate': command(
    closed({ tenant: Text, immediately: Type.Optional(Type.Boolean()) }),
    onCurrentSchema(rotateTenantKey),
  ),
  'master-key rotate': command(
    closed({ ignore_nodes: Type.Optional(Type.Boolean()) }),
    onCurrentSchema(rotate),
  ),
  'after-restore': command(
    closed({ taken_at: Type.Optional(Text), nothing_lost: Type.Optional(Type.Boolean()) }),
    onCurrentSchema(afterRestore),
  ),
  'audit verify': {
    ...command(
      closed({ tenant: Type.Optional(Text), checkpoints: Type.Optional(Text), ...anExport }),
      onCurrentSchema(verifyDatabase),
    ),
    runApart: (input) => (isOfFile(input) ? verifyFile(input) : undefined),
  },
};

/** Requires both or neither, since an export cannot vouch for itself. */
function isOfFile(input: unknown): input is FileVerificationInput {
  const { file, key_set: keySet } = input as Partial<FileVerificationInput>;
  if ((file === undefined) !== (keySet === undefined)) {
    throw new OperatorError('USAGE', 'An export and a key set are required together.');
  }
  return file !== undefined;
}

function rotate(
  { system, masterKeys, database }: Operator,
  input: { readonly ignore_nodes?: boolean },
): Promise<object> {
  // This process holds the lock of an embedded database, so no service is running on the database.
  const ignoresNodes = input.ignore_nodes === true || database.engine === 'embedded';
  const requireNodes = ignoresNodes ? undefined : requireMasterKeyOnNodes;
  return rotateMasterKey(system, masterKeys(), ACTOR, requireNodes);
}

/** @throws OperatorError USAGE for an unknown command or invalid arguments */
export function findCommand(commandName: string, input: unknown): Command {
  const found = Object.hasOwn(COMMANDS, commandName) ? COMMANDS[commandName] : undefined;
  if (!found) {
    const there = [...Object.keys(COMMANDS), 'doctor'].join(', ');
    throw new OperatorError('USAGE', `Unknown command. Commands: ${there}.`);
  }
  const checker = Compile(found.arguments);
  if (checker.Check(input)) return found;
  const fields = checker
    .Errors(input)
    .map((error) => `${error.instancePath.slice(1)} ${error.message}`);
  throw new OperatorError('USAGE', `The arguments are invalid: ${fields.join('; ').trim()}.`);
}

interface MigrateResult extends Migrated {
  /** The number of migrations applied earlier. */
  readonly before: number;
}

/** Migrates the schema to this version. */
async function migrateDatabase({
  database,
  log,
}: Pick<Operator, 'database' | 'log'>): Promise<MigrateResult> {
  const { applied: before } = await findSchemaState(database);
  const migrated = await migrate(database, { onBlocked: (message) => log.warn(message) });
  return { ...migrated, before: before.length };
}

/** Requires the schema of this version without changing it. Called for every command except `migrate`. */
async function requireCurrentSchema(database: Database): Promise<void> {
  const state = await findSchemaState(database);
  if (state.isAhead) throw new SchemaAhead(state);
  const lacking = [...state.pending, ...state.functions.changed];
  if (lacking.length > 0) {
    throw new OperatorError(
      'SCHEMA_BEHIND',
      `Run "keywright migrate" first: the database lacks ${lacking.length} migrations and functions, such as ${lacking[0]}.`,
    );
  }
}
