import type { Freshness } from './assurance.ts';
import type { FieldError } from './error-body.ts';
import type { Challenge } from './records/in-app-login.ts';
import type { UnknownPasskey } from './records/passkey.ts';
import type { OfferedFlow } from './records/login-flow.ts';

/** A rate limit that the request counted against. */
export interface RateLimit {
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
}

/** The fields of an error other than its code. */
export interface FailureOptions {
  /** Replaces the default detail. Public: it must not contain a secret or data of another tenant. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  /** The number of attempts left to enter a code. */
  readonly guessesLeft?: number;
  /** A passkey that is unknown to the tenant. */
  readonly unknownPasskey?: UnknownPasskey;
  /** The flow that can continue the login. */
  readonly flow?: OfferedFlow;
  /** The next step of an in-app login, in addition to the fields of an OAuth error. */
  readonly login?: Challenge;
  /** Sent as Retry-After. */
  readonly retryAfterSeconds?: number;
  /** Sent as RateLimit-Policy; a single limit is also sent as RateLimit. */
  readonly limits?: readonly RateLimit[];
  /** The login requirements that are not met, sent as WWW-Authenticate. */
  readonly stepUp?: Freshness;
  /** Sent as WWW-Authenticate instead of the usual challenge. */
  readonly challenge?: string;
  /** For the log only. */
  readonly internal?: unknown;
}
