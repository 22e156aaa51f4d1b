import { requireAddress } from '../address.ts';
import { type Fetch, globalFetch } from '../fetch.ts';
import type { Problem } from './problem.ts';

/** How a verifier is set up. Only `issuer` is needed. */
export interface VerifierOptions {
  /**
   * The tenant's issuer, byte for byte as the `iss` of its tokens: the base URL for `org_default`,
   * `<base URL>/t/<tenant_id>` for every other tenant, or what a system administrator set.
   */
  readonly issuer: string;
  /** The `aud` that tokens must have; default the issuer, as it is for tenants that set no audience. */
  readonly audience?: string;
  /** The `tenant_id` that tokens must have; default the one in the issuer, where it ends with `/t/<tenant_id>`. */
  readonly tenant?: string;
  /**
   * How revocations become known: `stream` (default) holds a connection open and learns of them within a
   * second, and asks for the lists every second while there is none; `poll` asks again when the list says so, for runtimes that hold no
   * connection between requests; `off` knows of none, so that a token is good until it expires.
   */
  readonly status?: 'stream' | 'poll' | 'off';
  /** Whether a token that names no status is accepted (default) or refused. */
  readonly withoutStatus?: 'accept' | 'refuse';
  /**
   * How old what is known of revocations and keys may become while the service can't be reached, in seconds;
   * default 900. Until then tokens are accepted; from then on `onStale` decides.
   */
  readonly maxStaleSeconds?: number;
  /** Past `maxStaleSeconds`: `deny` (default) refuses every token with 503, `allow` goes on accepting them. */
  readonly onStale?: 'allow' | 'deny';
  /** Where the issuer is reached, if not at its own address: such as inside a cluster. */
  readonly address?: string;
  /** Accepts an address of `http:` that is not of this machine. Whoever is in between can then forge keys. */
  readonly allowHttp?: boolean;
  /** How long the service may take to answer, in seconds; default 5. */
  readonly timeoutSeconds?: number;
  /** How many verified tokens are remembered; default 10,000. */
  readonly maxRememberedTokens?: number;
  /** Told of what goes wrong in the background. */
  readonly onProblem?: (problem: Problem) => void;
  /** In place of the global `fetch`. */
  readonly fetch?: Fetch;
  /** Milliseconds since the epoch, in place of `Date.now`. */
  readonly now?: () => number;
}

/** The options with every default filled in. */
export interface Settings {
  readonly issuer: string;
  readonly address: string;
  readonly audience: string;
  readonly tenant: string | undefined;
  readonly status: 'stream' | 'poll' | 'off';
  readonly withoutStatus: 'accept' | 'refuse';
  readonly maxStaleMs: number;
  readonly onStale: 'allow' | 'deny';
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

/** @throws TypeError for options that can't be meant */
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
