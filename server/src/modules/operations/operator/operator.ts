import { AppError } from '@keywright/contract/errors';
import type { Clock } from '../../../platform/clock.ts';
import { type Config, ConfigError } from '../../../platform/config.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { Database } from '../../../platform/db/database.ts';
import { isDamaged, isForbidden, isUnavailable } from '../../../platform/db/failures.ts';
import type { Log } from '../../../platform/log.ts';
import { reasonOf } from '../../../platform/reason.ts';
import type { AuditKeys } from '../../../tenancy/audit-keys.ts';
import type { SystemActor } from '../../../tenancy/caller.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, SystemData } from '../../../tenancy/gate.ts';

/** The operator, in the logs and in the audit log. */
export const ACTOR: SystemActor = { kind: 'system', name: 'command line' };

/** The context of commands, once the database is open. */
export interface Operator {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly system: SystemData;
  readonly gate: Gate;
  readonly auditKeys: AuditKeys;
  /** The configured master keys. For an embedded database without a configured key, a key is generated. */
  readonly masterKeys: () => MasterKeys;
  readonly passwords: PasswordHasher;
  readonly clock: Clock;
}

/** Why a command failed, for people and for programs. */
interface Failure {
  readonly code: string;
  /** One or two sentences, without a stack trace or a secret. */
  readonly message: string;
}

type OperatorCode =
  /** The command is unknown, or its arguments are invalid. */
  | 'USAGE'
  | 'SCHEMA_BEHIND'
  | 'NO_DATABASE'
  | 'IN_USE'
  | 'NOT_FOUND'
  | 'IDENTIFIER_INVALID'
  | 'IDENTIFIER_TAKEN'
  | 'SECRET_WEAK'
  | 'ROTATION_IN_PROGRESS'
  | 'SERVICE_RUNNING'
  | 'FILE_UNREADABLE'
  | 'FILE_UNWRITABLE'
  | 'SCHEMA_DIFFERS'
  | 'TENANT_EXISTS'
  | 'DOMAIN_TAKEN'
  | 'KEY_SET_INVALID';

/** A failure that the operator can fix. */
export class OperatorError extends Error {
  readonly code: OperatorCode;

  constructor(code: OperatorCode, message: string) {
    super(message);
    this.name = 'OperatorError';
    this.code = code;
  }
}

/** Errors of other modules whose message is for the operator. */
const CODE_BY_NAME: ReadonlyMap<string, string> = new Map([
  ['CanNotListen', 'CAN_NOT_LISTEN'],
  ['DatabaseUnreachable', 'UNREACHABLE'],
  ['SettingsUnusable', 'SETTINGS_UNUSABLE'],
  ['DirectoryInUse', 'IN_USE'],
  ['DataFolderUnusable', 'DATA_FOLDER_UNUSABLE'],
  ['DatabaseDamaged', 'DATABASE_DAMAGED'],
  ['DatabaseMissing', 'DATABASE_MISSING'],
  ['MigrationBlocked', 'MIGRATION_BLOCKED'],
  ['NodesWithoutMasterKey', 'NODES_WITHOUT_KEY'],
  ['SchemaAhead', 'SCHEMA_AHEAD'],
  ['SchemaEdited', 'SCHEMA_EDITED'],
  ['WrongMasterKey', 'WRONG_MASTER_KEY'],
  ['MasterKeyNotAtHand', 'MASTER_KEY_MISSING'],
  ['MasterKeyLost', 'MASTER_KEY_MISSING'],
  ['DatabaseRestored', 'DATABASE_RESTORED'],
  ['RotationUnfinished', 'ROTATION_UNFINISHED'],
  ['DataKeysBroken', 'DATA_KEYS_BROKEN'],
  ['IsolationBroken', 'ISOLATION_BROKEN'],
  ['LoginRoleUnusable', 'ROLE_UNUSABLE'],
  ['ClockWrong', 'CLOCK_WRONG'],
]);

/** Returns the exit code of a service that fails to start, as on the command line. */
export function exitCodeOf({ code }: Failure): number {
  return code === 'UNREACHABLE' || code === 'IN_USE' ? 4 : 1;
}

export function describeFailure(error: unknown): Failure {
  if (error instanceof OperatorError) return { code: error.code, message: error.message };
  if (error instanceof AppError) return { code: error.code, message: detailOf(error) };
  if (error instanceof ConfigError) {
    const message = `Correct these environment variables. ${error.violations.join(' ')}`;
    return { code: 'ENVIRONMENT', message };
  }
  const errorCode = error instanceof Error ? CODE_BY_NAME.get(error.name) : undefined;
  if (errorCode !== undefined) return { code: errorCode, message: (error as Error).message };
  return describeDatabaseFailure(error) ?? { code: 'FAILED', message: reasonOf(error) };
}

/** Uses the cause of a failed migration, which explains it. */
function describeDatabaseFailure(error: unknown): Failure | undefined {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (isUnavailable(cause)) {
    return { code: 'UNREACHABLE', message: `The database does not respond: ${reasonOf(cause)}` };
  }
  if (isDamaged(cause)) {
    const message = `The database is damaged: ${reasonOf(cause)}. Restore it from a backup.`;
    return { code: 'DATABASE_DAMAGED', message };
  }
  if (!isForbidden(cause)) return undefined;
  const said = [reasonOf(cause), textIn(cause, 'detail'), textIn(cause, 'hint')]
    .filter(Boolean)
    .map((sentence) => `${sentence.replace(/\.$/, '')}. `);
  const message =
    `The user of KEYWRIGHT_DATABASE_URL lacks a privilege: ${said.join('')}` +
    'docs/guide/postgresql.md lists what it needs.';
  return { code: 'FORBIDDEN', message };
}

/** PostgreSQL's detail and hint. */
function textIn(error: unknown, field: 'detail' | 'hint'): string {
  const text = (error as Readonly<Record<string, unknown>>)[field];
  return typeof text === 'string' ? text : '';
}

function detailOf({ message, options }: AppError): string {
  const errors = options.errors ?? [];
  if (errors.length === 0) return message;
  return `${errors.map((error) => `${fieldName(error.path)} ${error.message}`).join('; ')}.`;
}

/** Turns `/domains/0` into `domains 1`, counted from one. */
function fieldName(path: string): string {
  const [name = '', index] = path.slice(1).split('/');
  return index === undefined ? name : `${name} ${Number(index) + 1}`;
}
