import { parseAgentId } from '@keywright/contract/ids';
import type { AgentKeySet, AgentTrust } from '@keywright/contract/records/agent-proofs';
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
import { endOf, isOnlyFor, jtiOf, timesFlaw, trustFits } from './proof-rules.ts';
import { type ClientRow, type Spend, findClient } from './proofs-store.ts';
import type { FoundKey, IssuerKeys } from './remote-keys.ts';

/** The authenticated client; or the reason of the failure, for the log only. */
type Verdict<Client = ClientRow> =
  | { readonly client: Client; readonly refusal?: never }
  | { readonly client?: never; readonly refusal: string };

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

/** An agent, and the claims of the token that authenticated it. */
interface Workload {
  readonly client: ClientRow;
  readonly issuer: string;
  readonly subject: string;
}

/** Decides whether a token of an external issuer authenticates this agent by one of its trusts. */
export type VerifyWorkloadToken = (
  tenant: Tenant,
  clientId: string,
  token: string,
) => Promise<Workload | { readonly client?: undefined; readonly refusal: string }>;

/** Maximum length of a subject in the audit log. */
const MAX_SHOWN = 256;

interface WorkloadDependencies {
  readonly gate: Gate;
  readonly spend: Spend;
  readonly issuerKeys: IssuerKeys;
  readonly clock: Clock;
}

/** RFC 7523 §3, with an agent's trusts instead of a registered authorization server. */
export function createVerifyWorkloadToken({
  gate,
  spend,
  issuerKeys,
  clock,
}: WorkloadDependencies): VerifyWorkloadToken {
  return async (tenant, clientId, text) => {
    const token = parseOutsideToken(text);
    if (token?.typ !== 'jwt') return { refusal: 'malformed' };
    const agentId = parseAgentId(clientId);
    const data = gate.into(tenant.id);
    const client = agentId && (await data.transaction((tx) => findClient(tx, agentId)));
    if (!client) return { refusal: 'client' };
    const { claims } = token;
    // Keys are fetched only from issuers that the agent trusts.
    const trusts = client.trusts.filter(({ issuer }) => issuer === claims['iss']);
    const [first] = trusts;
    if (!first) return { refusal: 'iss' };
    // Whatever needs no key is checked first.
    const flaw = timesFlaw(claims, clock.now());
    if (flaw) return { refusal: flaw };
    const trust = trusts.find((one) => trustFits(one, claims));
    if (!trust) return { refusal: 'aud, sub or claims' };
    const found = await issuerKeys.find(tenant.id, first.issuer, token);
    if (!found.key) return { refusal: found.refusal };
    if (!outsideSignatureIsValid(token, found.key)) return { refusal: 'signature' };
    if (!(await useUp(trust))) return { refusal: 'used before' };
    return { client, issuer: trust.issuer, subject: String(claims['sub']).slice(0, MAX_SHOWN) };

    async function useUp({ issuer, single_use: isSingleUse = true }: AgentTrust): Promise<boolean> {
      const jti = jtiOf(claims);
      if (!isSingleUse || jti === undefined) return true;
      return spend({ tenantId: tenant.id, maker: issuer, jti, endsAt: endOf(claims) });
    }
  };
}

/** Public keys whose private keys nobody has. */
const DECOYS = [
  { kty: 'OKP', crv: 'Ed25519', x: 'Xh4ir7_KwqUfooA25MVUp--Gmq3D2bcBT5SopodHitc' },
  {
    kty: 'EC',
    crv: 'P-256',
    x: 'U5MeLVAx1UCjxapSxoewBsa3LynCihLOauha5yL85lY',
    y: '8eAGSkgBAVC-667tEi3KMQy9kSLPOaOSDZDE_nliBuo',
  },
  {
    kty: 'RSA',
    n: 'yhl_VfSna60URFs_bCweZoUXeOdvaFFKYRC955rLvw_SseGevlZdSVoZQ8x17eatp6WaTspPE8tWyliPZG2yMdRSg26ebyzf7eLvJdz01fvmG7n06b_8UyLTKIMgPI9v6AvcKa7XNhMW17gg9129t2UVbbMXJ8d9lELJC6uYFkjbpSHmgZAp637MkqAHOWQUHrH7iVqf25C6DpOutWBjOkd66er4X0MUJoNU-_D6fFJa_8erqpBguuqNg8okdsfQcS3nb6UF-uggvTKLtUkqv9Tc4MWytuNebIXgiAvzvRZOIq9Quowg_aD8B_94y6x5sb5S6ZnhXdkt4gDlKay-Qw',
    e: 'AQAB',
  },
];

/**
 * The key that a statement is checked against where there is no agent, or none of its keys fits: the answer takes
 * as long as it would for a wrong signature, and is the same.
 */
function decoyFor({ alg }: OutsideToken): OutsideKey | undefined {
  return DECOYS.map(readPublicJwk).find((key) => key?.algorithms.includes(alg));
}
