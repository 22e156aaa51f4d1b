import { requireAddress } from '../address.ts';
import type { DpopOptions } from './dpop.ts';
import { type Fetch, globalFetch } from '../fetch.ts';
import type { Problem } from './problem.ts';

/** Options of a verifier. Only `issuer` is required. */
export interface VerifierOptions {
  /**
   * The tenant's issuer, byte for byte as the `iss` of its tokens: the base URL for `org_default`,
   * `<base URL>/t/<tenant_id>` for every other tenant, or the value that a system administrator set.
   */
  readonly issuer: string;
  /** The required `aud` of tokens. Default: the issuer, which is the audience of tenants that do not set one. */
  readonly audience?: string;
  /** The required `tenant_id` of tokens. Default: the ID in the issuer, if it ends with `/t/<tenant_id>`. */
  readonly tenant?: string;
  /**
   * How the verifier detects revocations. `stream` (default) keeps a connection open, detects them within two
   * seconds, and polls every second while disconnected. `poll` fetches a list again when it has expired, for runtimes
   * without connections between requests. `off` ignores revocations, so a token is accepted until it expires.
   */
  readonly status?: 'stream' | 'poll' | 'off';
  /** Whether a token without a status is accepted (default) or rejected. */
  readonly withoutStatus?: 'accept' | 'refuse';
  /**
   * How long cached revocations and keys are trusted while the service is unreachable, in seconds; default 900. After
   * that `onStale` decides.
   */
  readonly maxStaleSeconds?: number;
  /**
   * The behavior after `maxStaleSeconds`: `deny` (default) rejects every token with 503, `allow` continues to accept
   * them.
   */
  readonly onStale?: 'allow' | 'deny';
  /** Accepts tokens bound to keys, with a DPoP proof (RFC 9449). Without this option they are rejected. */
  readonly dpop?: DpopOptions;
  /** The URL for reaching the issuer if it is different, for example inside a cluster. */
  readonly address?: string;
  /** Allows `http:` URLs of other machines. Keys can then be forged in transit. */
  readonly allowHttp?: boolean;
  /** Timeout for a response, in seconds; default 5. */
  readonly timeoutSeconds?: number;
  /** The number of verified tokens to cache; default 10,000. */
  readonly maxRememberedTokens?: number;
  /** Called for problems in the background. */
  readonly onProblem?: (problem: Problem) => void;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch;
  /** Milliseconds since the epoch; replaces `Date.now`. */
  readonly now?: () => number;
}

/** The options, including defaults. */
export interface Settings {
  readonly issuer: string;
  readonly address: string;
  readonly audience: string;
  readonly tenant: string | undefined;
  readonly status: 'stream' | 'poll' | 'off';
  readonly withoutStatus: 'accept' | 'refuse';
  readonly maxStaleMs: number;
  readonly onStale: 'allow' | 'deny';
  readonly dpop: DpopOptions | undefined;
  readonly timeoutMs: number;
  readonly maxRememberedTokens: number;
  readonly onProblem: ((problem: Problem) => void) | undefined;
  readonly fetch: Fetch;
  readonly now: () => number;
}

const DEFAULT_MAX_STALE_SECONDS = 900;
const DEFAULT_TIMEOUT_SECONDS = 5;
const DEFAULT_REMEMBERED_TOKENS = 10_000;
const TENANT_IN_ISSUER = /\/t\/(org_[a-z0-9-]{1,48})$/;

/** @throws TypeError for invalid options */
export function readSettings(options: VerifierOptions): Settings {
  const { issuer, address = issuer } = options;
  const name = options.address === undefined ? 'issuer' : 'address';
  requireAddress(name, address, options.allowHttp ?? false);
  return {
    issuer,
    address: address.replace(/\/+$/, ''),
    audience: options.audience ?? issuer,
    tenant: options.tenant ?? TENANT_IN_ISSUER.exec(issuer)?.[1],
    status: options.status ?? 'stream',
    withoutStatus: options.withoutStatus ?? 'accept',
    maxStaleMs: milliseconds('maxStaleSeconds', options.maxStaleSeconds, DEFAULT_MAX_STALE_SECONDS),
    onStale: options.onStale ?? 'deny',
    dpop: options.dpop,
    timeoutMs: milliseconds('timeoutSeconds', options.timeoutSeconds, DEFAULT_TIMEOUT_SECONDS),
    maxRememberedTokens: options.maxRememberedTokens ?? DEFAULT_REMEMBERED_TOKENS,
    onProblem: options.onProblem,
    fetch: options.fetch ?? globalFetch,
    now: options.now ?? Date.now,
  };
}

function milliseconds(name: string, seconds: number | undefined, otherwise: number): number {
  const value = seconds ?? otherwise;
  if (!(value >= 0))
    throw new TypeError(`Expected ${name} to be a number of seconds, zero or more, got ${value}.`);
  return value * 1000;
}
