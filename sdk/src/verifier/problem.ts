/**
 * A problem in the background:
 * - `KEY_SET_UNAVAILABLE`, `STATUS_UNAVAILABLE`: the service did not respond, or its response was unexpected;
 * - `KEY_SET_INVALID`, `STATUS_INVALID`: the response is malformed, or its signature is invalid;
 * - `STATUS_FOREIGN`: a list or a change belongs to another issuer or URL;
 * - `STATUS_REPLAYED`: a list or an event is older than a previous one, or a list has expired;
 * - `STATUS_TOO_LARGE`: a response or its decompressed content is larger than any of the service's;
 * - `STREAM_LOST`: the stream of changes broke; it reconnects automatically;
 * - `STREAM_GAP`: changes were missed, or the service no longer has them; the lists are fetched again;
 * - `ISSUER_CLOSED`: the tenant was deactivated or deleted; all of its tokens are rejected.
 */
export type ProblemCode =
  | 'KEY_SET_UNAVAILABLE'
  | 'KEY_SET_INVALID'
  | 'STATUS_UNAVAILABLE'
  | 'STATUS_INVALID'
  | 'STATUS_FOREIGN'
  | 'STATUS_REPLAYED'
  | 'STATUS_TOO_LARGE'
  | 'STREAM_LOST'
  | 'STREAM_GAP'
  | 'ISSUER_CLOSED';

/** A problem in the background, for logs and metrics. */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly cause?: unknown;
}

/** A problem to report. */
export class ProblemError extends Error {
  readonly code: ProblemCode;

  constructor(code: ProblemCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProblemError';
    this.code = code;
  }
}

/** Reports to the application's hook, whose failures must not stop the background work. */
export class ProblemReporter {
  readonly #onProblem: ((problem: Problem) => void) | undefined;

  constructor(onProblem: ((problem: Problem) => void) | undefined) {
    this.#onProblem = onProblem;
  }

  /** @param otherwise the code of errors without one */
  report(error: unknown, otherwise: ProblemCode): void {
    if (this.#onProblem === undefined) return;
    const code = error instanceof ProblemError ? error.code : otherwise;
    const message = error instanceof Error ? error.message : String(error);
    const cause: unknown = error instanceof ProblemError ? error.cause : error;
    try {
      this.#onProblem({ code, message, ...(cause === undefined ? {} : { cause }) });
    } catch {
      // The hook is the only place to report to.
    }
  }
}
