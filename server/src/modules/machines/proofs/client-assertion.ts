import type { AgentKeySet } from '@keywright/contract/records/agent-proofs';
import type { Clock } from '../../../platform/clock.ts';
import {
  keyOf,
  type OutsideKey,
  type OutsideToken,
  outsideSignatureIsValid,
  parseOutsideToken,
  readPublicJwk,
} from '../../../platform/crypto/outside-jws.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { decoyFor } from './decoy-keys.ts';
import { endOf, isOnlyFor, jtiOf, timesFlaw } from './statement-rules.ts';
import { spend } from './store.ts';
import type { Verdict } from './verdict.ts';

const LONGEST_SECONDS = 5 * 60;
/** RFC 7523 §3; the second one by its draft revision. */
const TYPES = ['jwt', 'client-authentication+jwt'];

/** Whoever signs assertions with keys that they registered. */
interface Signer {
  readonly jwks: AgentKeySet | null;
}

/** Decides whether its subject signed this assertion, for this service, within its lifetime, and for the first time. */
export type VerifyClientAssertion<Client extends Signer> = (
  tenant: Tenant,
  assertion: string,
  clientId: string | undefined,
) => Promise<Verdict<Client>>;

interface Dependencies<Client extends Signer> {
  readonly gate: Gate;
  readonly clock: Clock;
  /** An active client, by its id as it was presented. */
  readonly find: (tx: TenantTx, subject: string) => Promise<Client | undefined>;
  /** What an assertion may be for: the issuer of the tenant, and its endpoints where clients authenticate. */
  readonly audiences: (tenant: Tenant) => readonly string[];
}

/** private_key_jwt (RFC 7523 §2.2 and §3; OpenID Connect Core §9). */
export function createVerifyClientAssertion<Client extends Signer>(
  dependencies: Dependencies<Client>,
): VerifyClientAssertion<Client> {
  const { gate, clock, audiences, find } = dependencies;
  return async (tenant, assertion, clientId) => {
    const token = parseOutsideToken(assertion);
    if (!token || !TYPES.includes(token.typ)) return { refusal: 'malformed' };
    const { iss, sub, aud } = token.claims;
    if (typeof sub !== 'string' || iss !== sub) return { refusal: 'subject' };
    if (clientId !== undefined && clientId !== sub) return { refusal: 'subject' };
    const data = gate.into(tenant.id);
    const client = await data.transaction((tx) => find(tx, sub));
    if (!client || !isSignedBy(client, token)) {
      return { refusal: client ? 'signature' : checkInVain(token) };
    }
    const now = clock.now();
    const flaw = timesFlaw(token.claims, now, LONGEST_SECONDS);
    if (flaw) return { refusal: flaw };
    if (!isOnlyFor(aud, audiences(tenant))) return { refusal: 'aud' };
    const jti = jtiOf(token.claims);
    if (jti === undefined) return { refusal: 'jti' };
    const isNew = await data.transaction((tx) => spend(tx, sub, jti, endOf(token.claims)));
    return isNew ? { client } : { refusal: 'used before' };
  };
}

function isSignedBy({ jwks }: Signer, token: OutsideToken): boolean {
  const named = (jwks?.keys ?? []).filter(
    ({ kid }) => token.kid === undefined || token.kid === kid,
  );
  const keys = named.map(readPublicJwk).filter((key): key is OutsideKey => key !== undefined);
  const key = keyOf(token, keys);
  if (key) return outsideSignatureIsValid(token, key);
  checkInVain(token);
  return false;
}

function checkInVain(token: OutsideToken): 'client' {
  const decoy = decoyFor(token);
  if (decoy) outsideSignatureIsValid(token, decoy);
  return 'client';
}
