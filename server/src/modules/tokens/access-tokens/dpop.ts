import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { AccessTokenClaims } from '@keywright/contract/claims';
import { dpopChallenge, type DpopError, DPOP_WINDOW_SECONDS } from '@keywright/contract/dpop';
import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { createParseSelfSigned } from '../../../platform/crypto/self-signed.ts';
import { lazy } from '../../../platform/lazy.ts';
import { type AuditKeys, type AuditKey, DataKeyGone } from '../../../tenancy/audit-keys.ts';
import { demandsNonces } from '../../../tenancy/oauth-profile.ts';
import type { PresentedCredential, PresentedProof } from '../../../tenancy/presented.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Spend } from '../proofs/index.ts';
import { readProof, type ReadProof } from './dpop-rules.ts';

/** A key that the sender of a request has: it may be proven once by one proof. */
export interface ProvenKey {
  /** SHA-256 thumbprint (RFC 7638). */
  readonly jkt: string;
  /** Uses the proof up, at the first call. @throws AppError DPOP_INVALID if another request had it */
  requireUnused(fail: Fail<'DPOP_INVALID'>): Promise<void>;
}

/** Proofs of possession (RFC 9449). */
export interface Dpop {
  /**
   * The key of whoever asks for a token; undefined without a proof.
   * @throws AppError DPOP_INVALID, DPOP_NONCE_REQUIRED
   */
  prove(
    tenant: Tenant,
    presented: PresentedProof | undefined,
    fail: Fail<'DPOP_INVALID' | 'DPOP_NONCE_REQUIRED'>,
  ): Promise<ProvenKey | undefined>;
  /**
   * Whether a token came as it has to: with a proof by the key that it is bound to, or without the scheme of one.
   * Undefined if that is known at once.
   * @throws AppError TOKEN_INVALID
   */
  requireBinding(
    tenant: Tenant,
    claims: Pick<AccessTokenClaims, 'cnf'>,
    credential: PresentedCredential,
    fail: Fail<'TOKEN_INVALID'>,
  ): Promise<void> | undefined;
  /** What the next proof may contain; undefined where the tenant wants no nonce. */
  nextNonce(tenant: Tenant): Promise<string | undefined>;
}

interface Dependencies {
  readonly spend: Spend;
  readonly clock: Clock;
  readonly auditKeys: Pick<AuditKeys, 'find'>;
  readonly baseUrl: () => string;
}

type Verdict = { readonly proof: ReadProof } | { readonly flaw: string; readonly error: DpopError };

type Verify = (tenant: Tenant, presented: PresentedProof, accessToken?: string) => Promise<Verdict>;

/** Whether a proof is new, which it is once. A unique row decides. */
type IsNew = (tenant: Tenant, proof: ReadProof) => Promise<boolean>;

export function createDpop(dependencies: Dependencies): Dpop {
  const { spend, clock, auditKeys } = dependencies;
  const nonces = createNonces(auditKeys);
  const verify = createVerify(dependencies, nonces);
  const isNew: IsNew = ({ id: tenantId }, { jkt, jti, endsAt }) =>
    spend({ tenantId, maker: `dpop ${jkt}`, jti, endsAt });

  return {
    async prove(tenant, presented, fail) {
      if (!presented) return undefined;
      const verdict = await verify(tenant, presented);
      if ('flaw' in verdict) {
        const isNonce = verdict.error === 'use_dpop_nonce';
        const code = isNonce ? 'DPOP_NONCE_REQUIRED' : 'DPOP_INVALID';
        return fail(code, { internal: verdict.flaw });
      }
      const { proof } = verdict;
      const used = lazy(() => isNew(tenant, proof));
      return {
        jkt: proof.jkt,
        async requireUnused(refuse) {
          if (!(await used())) refuse('DPOP_INVALID', { internal: 'used before' });
        },
      };
    },
    requireBinding(tenant, { cnf }, credential, fail) {
      const means = { verify, isNew };
      if (cnf) return requireBound(means, tenant, { jkt: cnf.jkt, credential }, fail);
      if (credential.scheme === 'bearer') return undefined;
      // RFC 9449 §7.1: a token that is not bound has no key to prove.
      const challenge = dpopChallenge('invalid_token');
      return fail('TOKEN_INVALID', { challenge, internal: 'unbound token as DPoP' });
    },
    async nextNonce(tenant) {
      return demandsNonces(tenant) ? nonces.current(tenant.id, clock.now()) : undefined;
    },
  };
}

function createVerify({ clock, baseUrl }: Dependencies, nonces: Nonces): Verify {
  const parse = createParseSelfSigned();
  return async (tenant, { jwt, method, path, host }, accessToken) => {
    const now = clock.now();
    const origins = originsOf(tenant, baseUrl(), host);
    const proof = readProof(parse, jwt, { method, path, origins, accessToken, now });
    if ('flaw' in proof) return { flaw: proof.flaw, error: 'invalid_dpop_proof' };
    const isGood = await hasNonce(nonces, tenant, proof, now);
    return isGood ? { proof } : { flaw: 'nonce', error: 'use_dpop_nonce' };
  };
}

interface BoundUse {
  /** Of the key that the token is bound to. */
  readonly jkt: string;
  readonly credential: PresentedCredential;
}

async function requireBound(
  { verify, isNew }: { readonly verify: Verify; readonly isNew: IsNew },
  tenant: Tenant,
  { jkt, credential: { token, scheme, proof: presented } }: BoundUse,
  fail: Fail<'TOKEN_INVALID'>,
): Promise<void> {
  const refuse = (error: DpopError, internal: string): never =>
    fail('TOKEN_INVALID', { challenge: dpopChallenge(error), internal });
  if (scheme !== 'dpop') return refuse('invalid_token', 'bound token as bearer');
  if (!presented) return refuse('invalid_dpop_proof', 'no proof');
  const verdict = await verify(tenant, presented, token);
  if ('flaw' in verdict) return refuse(verdict.error, verdict.flaw);
  if (verdict.proof.jkt !== jkt) return refuse('invalid_token', 'proof by another key');
  if (!(await isNew(tenant, verdict.proof))) refuse('invalid_dpop_proof', 'used before');
}

/** Without a demand for nonces any is ignored: a client may have one of the time when there was one. */
async function hasNonce(
  nonces: Nonces,
  tenant: Tenant,
  { nonce }: ReadProof,
  now: Date,
): Promise<boolean> {
  if (!demandsNonces(tenant)) return true;
  return nonce !== undefined && nonces.isGood(tenant.id, nonce, now);
}

/** Where the service is for a tenant: never where a request merely says that it is. */
function originsOf({ issuer }: Tenant, baseUrl: string, host: string | undefined): string[] {
  const own = new URL(baseUrl);
  const origins = [own.origin, new URL(issuer).origin];
  const ofHost = `${own.protocol}//${host}`;
  return host !== undefined && URL.canParse(ofHost)
    ? [...origins, new URL(ofHost).origin]
    : origins;
}

const BYTES = 16;

/** Nonces of the service (RFC 9449 §8). Nothing is stored: each is a MAC of its minute, under a key of the tenant. */
interface Nonces {
  /** @throws DataKeyGone when the tenant was deleted */
  current(tenantId: TenantId, now: Date): Promise<string>;
  /** That of this minute or of the last one; of the next one, where the clock of another node is ahead. */
  isGood(tenantId: TenantId, nonce: string, now: Date): Promise<boolean>;
}

function createNonces(auditKeys: Pick<AuditKeys, 'find'>): Nonces {
  const derived = new WeakMap<AuditKey, Buffer>();

  async function keyOf(tenantId: TenantId): Promise<Buffer> {
    const root = await auditKeys.find(tenantId);
    if (!root) throw new DataKeyGone(tenantId);
    const known = derived.get(root);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', root, '', 'keywright dpop nonces', 32));
    derived.set(root, key);
    return key;
  }

  return {
    async current(tenantId, now) {
      return nonceOf(await keyOf(tenantId), minuteOf(now)).toString('base64url');
    },
    async isGood(tenantId, nonce, now) {
      const given = Buffer.from(nonce, 'base64url');
      if (given.length !== BYTES || given.toString('base64url') !== nonce) return false;
      const key = await keyOf(tenantId);
      const minute = minuteOf(now);
      return [minute, minute - 1, minute + 1].some((one) =>
        timingSafeEqual(nonceOf(key, one), given),
      );
    },
  };
}

function minuteOf(now: Date): number {
  return Math.floor(epochSeconds(now) / DPOP_WINDOW_SECONDS);
}

function nonceOf(key: Buffer, minute: number): Buffer {
  return createHmac('sha256', key).update(String(minute)).digest().subarray(0, BYTES);
}
