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
import type { FoundKey } from './remote-keys.ts';
import { endOf, isOnlyFor, jtiOf, timesFlaw } from './statement-rules.ts';
import type { Spend } from './spend-store.ts';
import type { Verdict } from './verdict.ts';

const LONGEST_SECONDS = 5 * 60;
/** RFC 7523 §3; the second one by its draft revision. */
const TYPES = ['jwt', 'client-authentication+jwt'];

/** Decides whether its subject signed this assertion, for this service, within its lifetime, and for the first time. */
export type VerifyClientAssertion<Client> = (
  tenant: Tenant,
  assertion: string,
  clientId: string | undefined,
) => Promise<Verdict<Client>>;

interface Dependencies<Client> {
  readonly gate: Gate;
  readonly spend: Spend;
  readonly clock: Clock;
  /** An active client, by its id as it was presented. */
  readonly find: (tx: TenantTx, subject: string) => Promise<Client | undefined>;
  /** Its key that may have signed the assertion. May fetch it: nothing is locked meanwhile. */
  readonly findKey: (tenant: Tenant, client: Client, token: OutsideToken) => Promise<FoundKey>;
  /** What an assertion may be for: the issuer of the tenant, and its endpoints where clients authenticate. */
  readonly audiences: (tenant: Tenant) => readonly string[];
  /** Why an assertion is not good enough for this client, whoever signed it. */
  readonly findObjection: (
    tenant: Tenant,
    client: Client,
    token: OutsideToken,
  ) => string | undefined;
}

/** private_key_jwt (RFC 7523 §2.2 and §3; OpenID Connect Core §9). */
export function createVerifyClientAssertion<Client>(
  dependencies: Dependencies<Client>,
): VerifyClientAssertion<Client> {
  const { gate, spend, audiences, find, findKey, findObjection, clock } = dependencies;
  return async (tenant, assertion, clientId) => {
    const token = parseOutsideToken(assertion);
    if (!token) return { refusal: 'malformed' };
    // Whatever needs no key is checked first: a key may have to be fetched.
    const stated = readStatement(token, clientId, clock.now(), audiences(tenant));
    if ('refusal' in stated) return stated;
    const client = await gate.into(tenant.id).transaction((tx) => find(tx, stated.subject));
    if (!client) return { refusal: checkInVain(token) };
    const refusal = findObjection(tenant, client, token);
    const found = refusal === undefined ? await findKey(tenant, client, token) : { refusal };
    if (!found.key) {
      checkInVain(token);
      return found;
    }
    if (!outsideSignatureIsValid(token, found.key)) return { refusal: 'signature' };
    const { subject: maker, jti } = stated;
    const endsAt = endOf(token.claims);
    const isNew = await spend({ tenantId: tenant.id, maker, jti, endsAt });
    return isNew ? { client } : { refusal: 'used before' };
  };
}

type Stated = { readonly subject: string; readonly jti: string } | { readonly refusal: string };

/** What an assertion says, if that is what it may say, whoever signed it. */
function readStatement(
  token: OutsideToken,
  clientId: string | undefined,
  now: Date,
  audiences: readonly string[],
): Stated {
  if (!TYPES.includes(token.typ)) return { refusal: 'malformed' };
  const { iss, sub, aud } = token.claims;
  if (typeof sub !== 'string' || iss !== sub) return { refusal: 'subject' };
  if (clientId !== undefined && clientId !== sub) return { refusal: 'subject' };
  const flaw = timesFlaw(token.claims, now, LONGEST_SECONDS);
  if (flaw) return { refusal: flaw };
  if (!isOnlyFor(aud, audiences)) return { refusal: 'aud' };
  const jti = jtiOf(token.claims);
  return jti === undefined ? { refusal: 'jti' } : { subject: sub, jti };
}

/** The key that may have signed an assertion, of those that its maker registered. */
export function registeredKey(jwks: AgentKeySet | null, token: OutsideToken): FoundKey {
  const named = (jwks?.keys ?? []).filter(
    ({ kid }) => token.kid === undefined || token.kid === kid,
  );
  const keys = named.map(readPublicJwk).filter((key): key is OutsideKey => key !== undefined);
  const key = keyOf(token, keys);
  return key ? { key } : { refusal: 'kid' };
}

function checkInVain(token: OutsideToken): 'client' {
  const decoy = decoyFor(token);
  if (decoy) outsideSignatureIsValid(token, decoy);
  return 'client';
}
