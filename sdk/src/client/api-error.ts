import type { ServiceErrorCode } from '../generated/records.ts';

/** One thing that is wrong with a request: where, as a JSON pointer, and what. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** An answer of the service that is not a success. */
export class ApiError extends Error {
  /** Stable, such as `SCOPE_REQUIRED`; `UNEXPECTED_ANSWER` for an answer that is not of the service's form. */
  readonly code: ServiceErrorCode | 'UNEXPECTED_ANSWER' | (string & Record<never, never>);
  /** HTTP status. */
  readonly status: number;
  /** With `VALIDATION_FAILED`: each thing that is wrong. */
  readonly errors: readonly FieldError[];
  /** How long the service asks to be left alone, in seconds, where it says so. */
  readonly retryAfterSeconds: number | undefined;
  /** Where to look in the log of the service. */
  readonly requestId: string | undefined;

  constructor(status: number, headers: Headers, body: unknown) {
    const fields = asObject(body);
    // The routes of OAuth answer `error` and `error_description` (RFC 6749 §5.2).
    const code =
      text(fields['code']) ?? (text(fields['error_description']) && text(fields['error']));
    const detail = text(fields['detail']) ?? text(fields['error_description']);
    super(detail ?? `The service answered ${status}.`);
    this.name = 'ApiError';
    this.code = code ?? 'UNEXPECTED_ANSWER';
    this.status = status;
    this.errors = Array.isArray(fields['errors']) ? (fields['errors'] as FieldError[]) : [];
    this.retryAfterSeconds = retryAfterSeconds(headers);
    this.requestId = headers.get('x-request-id') ?? undefined;
  }
}

/** Seconds, or a time (RFC 9110 §10.2.3). */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(seconds, 0);
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
