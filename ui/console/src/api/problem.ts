/** An invalid field: a JSON pointer, and what is expected there. */
export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

/** `UNREACHABLE`: there was no response. */
export const UNREACHABLE = 'UNREACHABLE';

/** An unsuccessful response, or no response at all. */
export class Problem extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly code: string;
  /** The URL of the page that explains the code. */
  readonly doc: string | undefined;
  readonly errors: readonly FieldProblem[];
  /** In the service's log. */
  readonly requestId: string | undefined;
  /** Seconds to wait before another attempt. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: unknown, headers?: Headers) {
    const { code, detail, doc, errors } = Object(body) as Readonly<Record<string, unknown>>;
    super(typeof detail === 'string' ? detail : '');
    this.name = 'Problem';
    this.status = status;
    this.code = typeof code === 'string' ? code : status === 0 ? UNREACHABLE : 'UNEXPECTED_ANSWER';
    this.doc = typeof doc === 'string' && /^https?:\/\//.test(doc) ? doc : undefined;
    this.errors = Array.isArray(errors) ? (errors as FieldProblem[]) : [];
    this.requestId = headers?.get('x-request-id') ?? undefined;
    const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
    this.retryAfter = Number.isNaN(seconds) ? undefined : seconds;
  }
}

export function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem(0, undefined);
}

/** Whether the same request can succeed a moment later. */
export function isPassing({ status }: Problem): boolean {
  return status === 0 || status === 429 || status === 503;
}
