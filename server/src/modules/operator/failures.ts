import { AppError } from '@keywright/contract/errors';
import { ConfigError } from '../../platform/config.ts';
import { isUnavailable } from '../../platform/db/failures.ts';

/** Why a command was not done, for people and for programs. */
export interface Failure {
  readonly code: string;
  /** One sentence or two, without a stack and without a secret. */
  readonly message: string;
}

type OperatorCode =
  /** The command or its arguments are none that there are. */
  | 'USAGE'
  | 'UNREACHABLE'
  | 'SCHEMA_BEHIND'
  | 'SCHEMA_AHEAD'
  | 'NO_DATABASE'
  | 'NOT_FOUND'
  | 'IDENTIFIER_INVALID'
  | 'IDENTIFIER_TAKEN'
  | 'SECRET_WEAK'
  | 'ROTATION_UNDER_WAY';

/** A command can't be done, and its operator can mend that. */
export class OperatorError extends Error {
  readonly code: OperatorCode;

  constructor(code: OperatorCode, message: string) {
    super(message);
    this.name = 'OperatorError';
    this.code = code;
  }
}

/** Errors of other parts whose message is written for the operator. */
const CODE_BY_NAME: ReadonlyMap<string, string> = new Map([
  ['DirectoryInUse', 'IN_USE'],
  ['WrongMasterKey', 'WRONG_MASTER_KEY'],
  ['MasterKeyNotAtHand', 'MASTER_KEY_MISSING'],
  ['DataKeysBroken', 'DATA_KEYS_BROKEN'],
  ['IsolationBroken', 'ISOLATION_BROKEN'],
]);

export function describeFailure(error: unknown): Failure {
  if (error instanceof OperatorError) return { code: error.code, message: error.message };
  if (error instanceof AppError) return { code: error.code, message: detailOf(error) };
  if (error instanceof ConfigError) {
    const message = `The environment is not right. ${error.violations.join(' ')}`;
    return { code: 'ENVIRONMENT', message };
  }
  if (isUnavailable(error)) {
    return { code: 'UNREACHABLE', message: `The database does not answer: ${reasonOf(error)}` };
  }
  const known = error instanceof Error ? CODE_BY_NAME.get(error.name) : undefined;
  if (known !== undefined) return { code: known, message: (error as Error).message };
  return { code: 'FAILED', message: reasonOf(error) };
}

function detailOf({ message, options }: AppError): string {
  const errors = options.errors ?? [];
  if (errors.length === 0) return message;
  return `${errors.map((one) => `${fieldName(one.path)} ${one.message}`).join('; ')}.`;
}

/** `/domains/0` is `domains 1`, counted as people do. */
function fieldName(path: string): string {
  const [name = '', index] = path.slice(1).split('/');
  return index === undefined ? name : `${name} ${Number(index) + 1}`;
}

/** The first line of what an error says, and of what it says that it comes from. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(reasonOf).join(', ');
  }
  const [line = ''] = (error.message || codeOf(error)).split('\n');
  return error.cause instanceof Error ? `${line} ${reasonOf(error.cause)}` : line;
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
