import { base64url, calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';
import {
  DPOP_ALGORITHMS,
  DPOP_WINDOW_SECONDS,
  MAX_DPOP_CHARACTERS,
} from '../../../contract/src/dpop.ts';
import { VerificationError } from '../errors.ts';
import { CLOCK_SKEW_SECONDS } from './jws-header.ts';

/** How tokens that are bound to keys are accepted (RFC 9449). */
export interface DpopOptions {
  /**
   * The public origins of your service, such as `https://api.example.com`. The address in a proof is compared with
   * these origins and the path, never with the host in the request.
   */
  readonly origins: string | readonly string[];
  /**
   * Checks whether a proof is new, for services with several processes, for example by `SET key 1 NX EX` of Redis.
   * Default: each process remembers the proofs that it accepted.
   */
  readonly isNew?: (proof: UsedProof) => boolean | Promise<boolean>;
}

/** A proof, which can be used only once. */
export interface UsedProof {
  /** At most 90 characters. */
  readonly id: string;
  /** The seconds until the proof is rejected because of its age. */
  readonly seconds: number;
}

/** The parts of a request that concern its proof. */
export interface SentProof {
  /** The header `DPoP`. */
  readonly proof: string | null | undefined;
  readonly method: string;
  /** The URL of the request, or only its path. */
  readonly url: string;
}

/** Checks proofs of possession (RFC 9449 §4.3). */
export class Proofs {
  readonly #origins: readonly string[];
  readonly #isNew: NonNullable<DpopOptions['isNew']>;
  readonly #now: () => number;

  /** @throws TypeError for an invalid origin */
  constructor({ origins, isNew }: DpopOptions, now: () => number) {
    const used = new UsedProofs(now);
    this.#origins = [origins].flat().map(readOrigin);
    this.#isNew = isNew ?? ((proof) => used.add(proof));
    this.#now = now;
  }

  /** @throws VerificationError `proof`, `proof_key` or `proof_used` */
  async require(token: string, jkt: string, sent: SentProof): Promise<void> {
    const { thumbprint, jti } = await this.#read(token, sent);
    if (thumbprint !== jkt) throw new VerificationError('proof_key');
    const id = `${thumbprint}.${await sha256(jti)}`;
    const seconds = 2 * DPOP_WINDOW_SECONDS;
    if (!(await this.#isNew({ id, seconds }))) throw new VerificationError('proof_used');
  }

  async #read(token: string, { proof, method, url }: SentProof) {
    if (typeof proof !== 'string' || proof.length > MAX_DPOP_CHARACTERS) throw flawed('length');
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      algorithms: [...DPOP_ALGORITHMS],
      typ: 'dpop+jwt',
      currentDate: new Date(this.#now()),
      clockTolerance: CLOCK_SKEW_SECONDS,
    }).catch((cause: unknown) => {
      throw new VerificationError('proof', { cause });
    });
    const { jti, htm, htu, iat, ath } = payload;
    const age = Math.abs(this.#now() / 1000 - (iat ?? Number.NEGATIVE_INFINITY));
    if (typeof jti !== 'string' || jti === '') throw flawed('jti');
    if (htm !== method) throw flawed('htm');
    if (!this.#isHere(htu, url)) throw flawed('htu');
    if (age > DPOP_WINDOW_SECONDS) throw flawed('iat');
    if (ath !== (await sha256(token))) throw flawed('ath');
    const thumbprint = await calculateJwkThumbprint(protectedHeader.jwk ?? {});
    return { thumbprint, jti };
  }

  #isHere(htu: unknown, url: string): boolean {
    if (typeof htu !== 'string' || !URL.canParse(htu) || !URL.canParse(url, BASE)) return false;
    const { origin, pathname, username, password } = new URL(htu);
    const isPlain = username === '' && password === '';
    return isPlain && this.#origins.includes(origin) && pathname === new URL(url, BASE).pathname;
  }
}

const BASE = 'http://localhost';

function flawed(name: string): VerificationError {
  return new VerificationError('proof', { cause: new Error(`The ${name} of the DPoP proof.`) });
}

function readOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (origin === 'null') throw new TypeError(`Expected dpop.origins to be origins, got ${text}.`);
  return origin;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return base64url.encode(new Uint8Array(digest));
}

/**
 * The maximum number of proofs per two minutes. Further proofs are rejected, because a forgotten proof could be
 * replayed.
 */
const MAX_USED = 200_000;

/** The proofs accepted by this process, remembered until they are too old to be accepted again. */
class UsedProofs {
  #young = new Set<string>();
  #old = new Set<string>();
  #since: number;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  add({ id, seconds }: UsedProof): boolean {
    this.#forget(seconds * 1000);
    if (this.#young.has(id) || this.#old.has(id)) return false;
    if (this.#young.size >= MAX_USED) throw new VerificationError('proofs_full');
    this.#young.add(id);
    return true;
  }

  /** Forgets old proofs; each is remembered for at least one period. */
  #forget(periodMs: number): void {
    const elapsed = this.#now() - this.#since;
    if (elapsed < periodMs) return;
    this.#old = elapsed < 2 * periodMs ? this.#young : new Set();
    this.#young = new Set();
    this.#since = this.#now();
  }
}
