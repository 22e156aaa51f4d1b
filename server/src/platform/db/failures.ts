import { setTimeout as wait } from 'node:timers/promises';

/** SQLSTATE classes and codes of a database that is unreachable or temporarily unable to serve. */
const UNAVAILABLE = /^(08|53|57P0|58)|^25006$/;
/** The server rolled back a statement: deadlock, serialization failure, lock timeout, statement timeout. */
const ABANDONED = /^(40001|40P01|55P03|57014)$/;
/** Conflicts with another transaction, which has continued since: deadlock, serialization failure. */
const CONFLICT = /^(40001|40P01)$/;
/** Classes of errors that are not caused by the values of a statement. */
const STATE = /^(42|55|57|XX)/;
/** Pause before a retry. A sooner retry might again lock what the other transaction is waiting for. */
const OTHER_CONTINUES_MS = 100;
/** Raised by a standby, and by a server that was made read-only. */
const READ_ONLY = '25006';
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const CONNECTION_MESSAGES =
  /Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Client was closed/;
const FORBIDDEN = '42501';
/** Raised by our own functions and migrations, with a message. */
const RAISED = 'P0001';

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  return (
    UNAVAILABLE.test(code) ||
    CONNECTION_CODES.has(code) ||
    (error instanceof Error && CONNECTION_MESSAGES.test(error.message))
  );
}

/** Whether the server abandoned the statement, which may succeed if it is retried later. */
export function isAbandoned(error: unknown): boolean {
  return ABANDONED.test(codeOf(error));
}

/**
 * Whether the same statement may succeed later: the cause is not its values, but the state of the database, a
 * setting, a privilege or a missing table.
 */
export function mayPass(error: unknown): boolean {
  return isUnavailable(error) || isAbandoned(error) || STATE.test(codeOf(error));
}

/**
 * Retries work once if the server aborted it in favor of another transaction: the work was rolled back, and the other
 * transaction has continued. Lock and statement timeouts are not retried, since the lock may still be held.
 */
export async function repeatedAfterConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!CONFLICT.test(codeOf(error))) throw error;
    await wait(OTHER_CONTINUES_MS);
    return work();
  }
}

/** Whether the server did not grant a statement its locks: lock timeout, deadlock. */
export function isLockRefused(error: unknown): boolean {
  return /^(55P03|40P01)$/.test(codeOf(error));
}

/** Whether CREATE OR REPLACE failed for another result type or other argument names: invalid_function_definition. */
export function isInvalidReplacement(error: unknown): boolean {
  return codeOf(error) === '42P13';
}

/** Whether the server accepts no writes, so that its clients must find the primary. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === READ_ONLY;
}

/** Whether the server ended a statement that took longer than its `statement_timeout`. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error) === '57014';
}

export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === '53100';
}

/** Whether the server, or its pooler, accepts no more connections. */
export function isOutOfConnections(error: unknown): boolean {
  return codeOf(error) === '53300';
}

/**
 * Whether the server cannot use its files: system_error, io_error, undefined_file, or an internal error, for example
 * if a temporary file cannot be created.
 */
export function isOfFiles(error: unknown): boolean {
  return /^(58|XX)/.test(codeOf(error));
}

/**
 * Whether the session's settings caused the failure: no function or table was found on its search_path, or its
 * row_security is off.
 */
export function isOfSettings(error: unknown): boolean {
  if (codeOf(error) === FORBIDDEN) return /row-level security/.test(String(error));
  return /^(42883|42P01|3F000)$/.test(codeOf(error));
}

/** Whether the server cannot run a function: not supported, in the wrong state, forbidden, or undefined. */
export function isUnsupported(error: unknown): boolean {
  return /^(0A000|55000|42501|42883)$/.test(codeOf(error));
}

/** Whether stored data is corrupt: data_corrupted, index_corrupted. */
export function isDamaged(error: unknown): boolean {
  return /^XX00[12]$/.test(codeOf(error));
}

/** The database user of the service lacks a privilege. */
export function isForbidden(error: unknown): boolean {
  return [FORBIDDEN, RAISED].includes(codeOf(error));
}
