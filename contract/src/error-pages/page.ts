import type { FieldError } from '../error-body.ts';
import type { ErrorCode } from '../errors.ts';

/** A request that gets the error. Requests that need a token have a valid one, unless their headers differ. */
export interface ErrorExample {
  /** Method and path; without a prefix, the path is one of the API. */
  readonly request: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  /** A JSON body. A string is sent as it is. */
  readonly body?: object | string;
  readonly form?: Readonly<Record<string, string>>;
  /** Replaces or adds headers; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The detail of the response, if it is not the default. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly guessesLeft?: number;
}

/** The contents of a page about an error code. Texts mark code with backticks, and have no other markup. */
export interface ErrorPage {
  /** Why requests get the error, the most likely cause first. */
  readonly causes: readonly string[];
  /** A fix for each cause, in the same order. */
  readonly fixes: readonly string[];
  readonly example: ErrorExample;
  /** Pages that explain the subject, as paths below `docs`. */
  readonly guides: readonly `${string}.md`[];
}

/** The pages of some error codes. */
export type ErrorPages = Readonly<Partial<Record<ErrorCode, ErrorPage>>>;
