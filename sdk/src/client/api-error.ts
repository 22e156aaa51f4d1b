import type { ServiceErrorCode } from '../generated/records.ts';

/** A validation error: a JSON pointer to the invalid value, and a message. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** An error response of the service. */
export class ApiError extends Error {
  /** Stable, such as `SCOPE_REQUIRED`; `UNEXPECTED_ANSWER` for a response that is not in the service's format. */
  readonly code: ServiceErrorCode | 'UNEXPECTED_ANSWER' | (string & Record<never, never>);
  /** HTTP status. */
  readonly status: number;
  /** The URL of the page that explains the code, if the response has one. */
  readonly doc: string | undefined;
  /** Every validation error, if the code is `VALIDATION_FAILED`. */
  readonly errors: readonly FieldError[];
  /** The `Retry-After` of the response in seconds, if any. */
  readonly retryAfterSeconds: number | undefined;
  /** The ID of the request in the service's log. */
  readonly requestId: string | undefined;

  constructor(status: number, headers: Headers, body: unknown) {
    const fields = asObject(body);
    // OAuth routes return `error` and `error_description` (RFC 6749 §5.2).
    const code =
      text(fields['code']) ?? (text(fields['error_description']) && text(fields['error']));
    const detail = text(fields['detail']) ?? text(fields['error_description']);
    super(detail ?? `The service responded with ${status}.`);
    this.name = 'ApiError';
    this.code = code ?? 'UNEXPECTED_ANSWER';
    this.status = status;
    this.doc = webUrl(fields['doc']);
    this.errors = Array.isArray(fields['errors']) ? (fields['errors'] as FieldError[]) : [];
    this.retryAfterSeconds = retryAfterSeconds(headers);
    this.requestId = headers.get('x-request-id') ?? undefined;
  }
}

/** Parses seconds or a date (RFC 9110 §10.2.3). */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(seconds, 0);
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** A value that can be linked: not a script, whatever responded. */
function webUrl(value: unknown): string | undefined {
  const url = text(value);
  return url !== undefined && /^https?:\/\//.test(url) ? url : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
