import type { Database } from '../../../platform/db/database.ts';
import { migrate, type Migrated } from '../../../platform/db/migrate.ts';
import { findSchemaState, SchemaAhead } from '../../../platform/db/schema-state.ts';
import { OperatorError } from './failures.ts';
import type { Operator } from './operator.ts';

export interface MigrateResult extends Migrated {
  /** The number of migrations applied earlier. */
  readonly before: number;
}

/** Migrates the schema to this version. */
export async function migrateDatabase({
  database,
  log,
}: Pick<Operator, 'database' | 'log'>): Promise<MigrateResult> {
  const { applied: before } = await findSchemaState(database);
  const migrated = await migrate(database, { onBlocked: (message) => log.warn(message) });
  return { ...migrated, before: before.length };
}

/** Every command except `migrate` requires the schema of this version, and does not change it. */
export async function requireCurrentSchema(database: Database): Promise<void> {
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
