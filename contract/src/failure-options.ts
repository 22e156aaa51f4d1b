import type { Freshness } from './assurance.ts';
import type { FieldError } from './error-body.ts';
import type { Challenge } from './records/in-app-login.ts';
import type { UnknownPasskey } from './records/passkey.ts';
import type { OfferedFlow } from './records/login-flow.ts';

/** A rate limit that a request was counted against. */
export interface RateLimit {
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
}

/** The fields of an error in addition to its code. */
export interface FailureOptions {
  /** Replaces the detail of the catalogue. Public: must not contain a secret or data of another tenant. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  /** How many more codes may be tried. */
  readonly guessesLeft?: number;
  /** A passkey that the tenant does not have. */
  readonly unknownPasskey?: UnknownPasskey;
  /** In which the login can continue. */
  readonly flow?: OfferedFlow;
  /** What an in-app login needs next, in addition to the fields of an OAuth error. */
  readonly login?: Challenge;
  /** Sent as Retry-After. */
  readonly retryAfterSeconds?: number;
  /** Sent as RateLimit-Policy; a single one also as RateLimit. */
  readonly limits?: readonly RateLimit[];
  /** Sent as WWW-Authenticate: what the login lacks. */
  readonly stepUp?: Freshness;
  /** Sent as WWW-Authenticate instead of the usual challenge. */
  readonly challenge?: string;
  /** For the log only. */
  readonly internal?: unknown;
}
