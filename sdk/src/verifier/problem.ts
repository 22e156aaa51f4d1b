/**
 * What went wrong in the background:
 * - `KEY_SET_UNAVAILABLE`, `STATUS_UNAVAILABLE`: the service did not answer, or not with what was asked for;
 * - `KEY_SET_INVALID`, `STATUS_INVALID`: the answer is not of the documented form, or its signature is wrong;
 * - `STATUS_FOREIGN`: a list or a change of another issuer or of another address;
 * - `STATUS_REPLAYED`: older than what was seen before;
 * - `STATUS_TOO_LARGE`: an answer, or what it unpacks to, is larger than any that the service makes;
 * - `STREAM_LOST`: the stream of changes broke; it is connected again by itself;
 * - `STREAM_GAP`: changes were missed, or the service cannot tell them any more; the lists are fetched anew;
 * - `ISSUER_CLOSED`: the tenant was switched off or deleted; every token of it is refused.
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

/** Something that went wrong in the background, for logs and metrics. */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly cause?: unknown;
}

/** A problem on its way to where it is reported. */
export class ProblemError extends Error {
  readonly code: ProblemCode;

  constructor(code: ProblemCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProblemError';
    this.code = code;
  }
}

export type Report = (error: unknown, otherwise: ProblemCode) => void;

/** Reports through the hook of the application, whose own failures must not end the work in the background. */
export function createReport(onProblem: ((problem: Problem) => void) | undefined): Report {
  return (error, otherwise) => {
    if (onProblem === undefined) return;
    const code = error instanceof ProblemError ? error.code : otherwise;
    const message = error instanceof Error ? error.message : String(error);
    const cause: unknown = error instanceof ProblemError ? error.cause : error;
    try {
      onProblem({ code, message, ...(cause === undefined ? {} : { cause }) });
    } catch {
      // There is nobody left to tell.
    }
  };
}
