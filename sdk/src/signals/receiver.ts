import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import { SET_TYP } from '../../../contract/src/signals.ts';
import { requireAddress } from '../address.ts';
import { type Fetch, globalFetch } from '../fetch.ts';
import { type PollOptions, pollUntil } from './poll.ts';
import { SignalError } from './signal-error.ts';
import { type Signal, signalOf } from './signal.ts';

/** The options of a receiver. */
export interface SignalReceiverOptions {
  /** The issuer of the tenant. */
  readonly issuer: string;
  /** The `aud` of the stream: the client id. */
  readonly audience: string;
  /** Handles an event. If it throws, the event is delivered again. */
  readonly handle: (signal: Signal) => void | Promise<void>;
  /**
   * Remembers the handled events; default: the last 10,000, in memory. For several processes, use a table or a cache
   * that all of them share. An event can be delivered again for a week.
   */
  readonly store?: SignalStore;
  /** The tolerated clock skew, in seconds; default 60. */
  readonly toleranceSeconds?: number;
  /** Accepts an issuer without TLS, on another machine. */
  readonly allowHttp?: boolean;
  readonly fetch?: Fetch;
  /** Milliseconds since the epoch; replaces `Date.now`. */
  readonly now?: () => number;
}

/** Which events were handled, by `jti`. */
export interface SignalStore {
  has(jti: string): boolean | Promise<boolean>;
  add(jti: string): void | Promise<void>;
}

/** The response to a push. */
export interface SignalAnswer {
  readonly status: 202 | 400 | 500 | 503;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty with 202. */
  readonly body: string;
}

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];
const DEFAULT_TOLERANCE_SECONDS = 60;
const MOST_REMEMBERED = 10_000;
const MAX_BYTES = 64 * 1024;

/** Receives shared signals of one issuer. Its methods can be passed on as functions. */
export class SignalReceiver {
  readonly #options: Pick<SignalReceiverOptions, 'issuer' | 'audience' | 'handle'>;
  readonly #store: SignalStore;
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  readonly #toleranceSeconds: number;
  readonly #fetch: Fetch;
  readonly #now: () => number;

  constructor(options: SignalReceiverOptions) {
    const { issuer, store = inMemory(), fetch = globalFetch, now = Date.now } = options;
    requireAddress('issuer', issuer, options.allowHttp === true);
    this.#options = options;
    this.#store = store;
    this.#keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), {
      [customFetch]: fetch,
    });
    this.#toleranceSeconds = options.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS;
    this.#fetch = fetch;
    this.#now = now;
  }

  /**
   * Verifies an event: issuer, audience, type, signature and clock.
   *
   * @throws SignalError
   */
  readonly verify = async (token: string | Uint8Array): Promise<Signal> => {
    const text = typeof token === 'string' ? token : new TextDecoder().decode(token);
    if (text.length > MAX_BYTES) throw new SignalError('invalid_request', 'The event is too long.');
    const { issuer, audience } = this.#options;
    const currentDate = new Date(this.#now());
    const expected = { issuer, audience, typ: SET_TYP, algorithms: ALGORITHMS, currentDate };
    const { payload } = await jwtVerify(text, this.#keys, expected).catch((error: unknown) => {
      throw signalErrorOf(error);
    });
    requireSet(payload, this.#now() / 1000 + this.#toleranceSeconds);
    const signal = signalOf(payload);
    if (signal) return signal;
    throw new SignalError('invalid_request', 'Expected jti, iat, sub_id and one event.');
  };

  /** Verifies and handles a pushed event (RFC 8935). Never rejects. @param rawBody exactly as received */
  readonly receive = async (rawBody: string | Uint8Array): Promise<SignalAnswer> => {
    try {
      await this.#handle(rawBody);
      return { status: 202, headers: { 'cache-control': 'no-store' }, body: '' };
    } catch (error) {
      return answerOf(error);
    }
  };

  /** Polls, handles and acknowledges events (RFC 8936), until `signal` is aborted. */
  readonly poll = async (options: PollOptions): Promise<void> => {
    await pollUntil((token) => this.#handle(token), { fetch: this.#fetch, ...options });
  };

  /** Verifies an event, and handles it unless it was handled before. */
  async #handle(token: string | Uint8Array): Promise<Signal> {
    const signal = await this.verify(token);
    if (!(await this.#store.has(signal.jti))) {
      await this.#options.handle(signal);
      await this.#store.add(signal.jti);
    }
    return signal;
  }
}

/**
 * Creates a receiver of shared signals (OpenID Shared Signals Framework, CAEP).
 *
 * @throws TypeError for invalid options
 */
export function createSignalReceiver(options: SignalReceiverOptions): SignalReceiver {
  return new SignalReceiver(options);
}

/** Requires the properties that distinguish an event from other tokens (Shared Signals Framework §4.1). */
function requireSet(payload: JWTPayload, latest: number): void {
  if ('exp' in payload || 'sub' in payload) {
    throw new SignalError('invalid_request', 'An event must not contain exp or sub.');
  }
  if (typeof payload.iat === 'number' && payload.iat > latest) {
    throw new SignalError(
      'invalid_request',
      'The event was issued in the future: check the clocks.',
    );
  }
}

function signalErrorOf(error: unknown): SignalError {
  const fail = (code: SignalError['code'], message: string) =>
    new SignalError(code, message, error);
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'iss') return fail('invalid_issuer', 'The event is from another issuer.');
    if (error.claim === 'aud')
      return fail('invalid_audience', 'The event is for another receiver.');
    return fail('invalid_request', `The event has a wrong ${error.claim}.`);
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return fail('invalid_key', 'The signature does not match the event.');
  }
  if (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  ) {
    return fail('invalid_key', 'The key of the event is not in the key set of the issuer.');
  }
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) {
    return fail('invalid_request', 'Expected a SET: a JWT with typ secevent+jwt.');
  }
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported) {
    return fail('invalid_key', 'The algorithm of the event is not accepted.');
  }
  return fail('unavailable', 'The key set could not be fetched.');
}

function answerOf(error: unknown): SignalAnswer {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  if (!(error instanceof SignalError)) {
    return { status: 500, headers, body: '{"err":"internal","description":"Try again."}' };
  }
  const { code, message, httpStatus } = error;
  return {
    status: httpStatus,
    headers: { ...headers, ...(httpStatus === 400 && { 'content-language': 'en' }) },
    body: JSON.stringify({ err: code, description: message }),
  };
}

function inMemory(): SignalStore {
  const handled = new Set<string>();
  return {
    has: (jti) => handled.has(jti),
    add(jti) {
      handled.add(jti);
      const [oldest] = handled;
      if (handled.size > MOST_REMEMBERED && oldest !== undefined) handled.delete(oldest);
    },
  };
}
