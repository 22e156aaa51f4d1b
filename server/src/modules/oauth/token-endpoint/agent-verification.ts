import type { AccessTokenClaims } from '@keywright/contract/claims';
import { AppError, type Fail, fail as throwError } from '@keywright/contract/errors';
import {
  type AgentId,
  type ApiKeyId,
  DEFAULT_TENANT,
  type WorkspaceId,
  parseAgentId,
} from '@keywright/contract/ids';
import { CHALLENGE_ROUTES } from '@keywright/contract/routes/authorize-challenge';
import { DEVICE_AUTHORIZATION_ROUTES } from '@keywright/contract/routes/device';
import { INTROSPECTION_ROUTES } from '@keywright/contract/routes/introspection';
import { PUSHED_REQUEST_ROUTES } from '@keywright/contract/routes/pushed-requests';
import { REVOCATION_ROUTES } from '@keywright/contract/routes/revocation';
import { issueToken, issueTokenByIssuer } from '@keywright/contract/routes/token';
import type { OutsideToken } from '../../../platform/crypto/outside-jws.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Core } from '../../../tenancy/module.ts';
import { type Tenant, WEAK_ALGORITHM, isUnderFapi2 } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { type AgentClient, type ApiKeys, findAgentClient } from '../../machines/agents/index.ts';
import {
  ClientAssertions,
  ClientKeys,
  type FoundKey,
  type SpentStatements,
  registeredKey,
} from '../../tokens/proofs/index.ts';
import type { LoadedClient } from '../clients/index.ts';
import type { ClientProof } from './token-request.ts';

// Verifies how agents prove who they are, and what signed assertions of agents and of OAuth clients must contain.

/** An authenticated agent, with what its token can contain. */
export interface AuthenticatedAgent {
  readonly agentId: AgentId;
  readonly workspaceId: WorkspaceId;
  readonly scopes: readonly string[];
  /** The `ver` claim: the agent's access version when its scopes were read. */
  readonly version: number;
  /** The API key with which the agent authenticated. */
  readonly keyId?: ApiKeyId;
  /** When its credential expires. */
  readonly endsAt?: Date;
  /** How the agent authenticated, for the audit log. */
  readonly grounds: Grounds;
}

type Grounds =
  | { readonly by: ClientProof['by'] }
  | { readonly by: 'trust'; readonly issuer: string; readonly subject: string };

/** Verifies the credentials of agents: an API key, a signed assertion, or an access token of the agent. */
export class AgentVerifier {
  readonly #apiKeys: ApiKeys;
  readonly #bearer: BearerService;
  readonly #assertions: ClientAssertions<AgentClient>;

  constructor(
    core: Core,
    spentStatements: SpentStatements,
    apiKeys: ApiKeys,
    bearer: BearerService,
  ) {
    this.#apiKeys = apiKeys;
    this.#bearer = bearer;
    this.#assertions = new ClientAssertions(core.gate, core.clock, spentStatements, {
      audiences: (tenant) => audiencesOf(tenant, core.baseUrl()),
      find: findAgentClient,
      findObjection: (tenant, _, token) =>
        isUnderFapi2(tenant) ? fapi2Objection(tenant, token) : undefined,
      findKey: async (_, { jwks }, token) => registeredKey(jwks, token),
    });
  }

  /** @throws AppError CLIENT_INVALID, identical for every failure */
  async verify(
    tenant: Tenant,
    proof: ClientProof | undefined,
    from: Origin,
    fail: Fail<'CLIENT_INVALID'>,
  ): Promise<AuthenticatedAgent> {
    if (!proof) return fail('CLIENT_INVALID', { internal: 'nothing presented' });
    const found = await this.#find(tenant, proof, from);
    return 'refusal' in found ? fail('CLIENT_INVALID', { internal: found.refusal }) : found;
  }

  async #find(
    tenant: Tenant,
    proof: ClientProof,
    from: Origin,
  ): Promise<AuthenticatedAgent | { readonly refusal: string }> {
    if (proof.by === 'secret') {
      // FAPI 2.0 Security Profile §5.3.2.1 item 6.
      if (isUnderFapi2(tenant)) return { refusal: 'fapi2: secret' };
      // The key is checked before its agent, so that an unknown ID gets the same response as a wrong key.
      const caller = await this.#apiKeys.authenticate(tenant, proof.secret, from);
      const isTheirs = caller?.subject === proof.clientId;
      return isTheirs ? agentOfClaims(caller.claims, proof) : { refusal: 'key' };
    }
    if (proof.by === 'assertion') {
      const verdict = await this.#assertions.verify(tenant, proof.token, proof.clientId);
      return verdict.client ? agentOfRow(verdict.client, { by: proof.by }) : verdict;
    }
    const claims = await findUsableClaims(this.#bearer, tenant, proof.token);
    const isTheirs = proof.clientId === undefined || proof.clientId === claims?.sub;
    return claims && parseAgentId(claims.sub) && isTheirs
      ? agentOfClaims(claims, proof)
      : { refusal: 'actor_token' };
  }
}

/** Returns an agent that authenticated with a key or a token. */
function agentOfClaims(
  claims: Omit<AccessTokenClaims, 'jti'>,
  { by }: ClientProof,
): AuthenticatedAgent {
  return {
    agentId: claims.sub as AgentId,
    workspaceId: claims.workspace_id,
    scopes: claims.scopes,
    version: claims.ver,
    ...(claims.key_id === undefined ? {} : { keyId: claims.key_id }),
    endsAt: new Date(claims.exp * 1000),
    grounds: { by },
  };
}

/** Returns an agent that authenticated with its own signature or that of a trusted issuer, with all its permissions. */
export function agentOfRow(row: AgentClient, grounds: Grounds): AuthenticatedAgent {
  const { id, workspace_id: workspaceId, scopes, access_version: version } = row;
  return { agentId: id, workspaceId, scopes, version, grounds };
}

const REJECTIONS: readonly AppError['code'][] = ['TOKEN_INVALID', 'TENANT_MISMATCH'];

/**
 * Returns the claims of a valid access token of the tenant; undefined for any other token. A token bound to a key
 * proves nothing without a proof of possession, which this request does not contain.
 */
export async function findUsableClaims(
  bearer: BearerService,
  tenant: Tenant,
  token: string,
): Promise<AccessTokenClaims | undefined> {
  try {
    const claims = await bearer.verifyToken(tenant, token, throwError);
    return claims.cnf ? undefined : claims;
  } catch (error) {
    const isRejected = error instanceof AppError && REJECTIONS.includes(error.code);
    if (isRejected) return undefined;
    throw error;
  }
}

/** Finds the keys with which OAuth clients sign tokens: registered, or fetched from the `jwks_uri`. */
export class ClientSigningKeys {
  readonly #published: ClientKeys;

  constructor({ egress, clock }: Core) {
    this.#published = new ClientKeys(egress, clock);
  }

  /** Called while no row is locked, because it can fetch the key. */
  async find(
    tenant: Tenant,
    { jwks, jwks_uri: uri }: Pick<LoadedClient, 'jwks' | 'jwks_uri'>,
    token: OutsideToken,
  ): Promise<FoundKey> {
    return uri === null ? registeredKey(jwks, token) : this.#published.find(tenant.id, uri, token);
  }
}

/**
 * FAPI 2.0 Security Profile §5.3.2.1 items 6 and 8, §5.4.1: returns why an assertion does not authenticate a client.
 */
export function fapi2Objection(
  { issuer }: Pick<Tenant, 'issuer'>,
  { alg, claims }: Pick<OutsideToken, 'alg' | 'claims'>,
): string | undefined {
  if (alg === WEAK_ALGORITHM) return 'fapi2: alg';
  return claims['aud'] === issuer ? undefined : 'fapi2: aud';
}

/** Returns the addresses of a tenant's token endpoint, and the one that its metadata lists. */
export function addressesOf(tenantId: string, baseUrl: string) {
  const shared = `${baseUrl}${issueToken.path}`;
  const byIssuer = addressIn(tenantId, baseUrl, issueTokenByIssuer);
  const tokenEndpoint = tenantId === DEFAULT_TENANT ? shared : byIssuer;
  return { tokenEndpoint, tokenEndpoints: [shared, byIssuer] };
}

/** Returns the audiences of client assertions: the tenant's issuer, and the endpoints where clients authenticate. */
export function audiencesOf({ id, issuer }: Tenant, baseUrl: string): readonly string[] {
  const others = [
    ...REVOCATION_ROUTES,
    ...INTROSPECTION_ROUTES,
    ...PUSHED_REQUEST_ROUTES,
    ...CHALLENGE_ROUTES,
    ...DEVICE_AUTHORIZATION_ROUTES,
  ];
  return [
    issuer,
    ...addressesOf(id, baseUrl).tokenEndpoints,
    ...others.map((route) => addressIn(id, baseUrl, route)),
  ];
}

function addressIn(tenantId: string, baseUrl: string, { path }: { readonly path: string }): string {
  return `${baseUrl}${path.replace(':tenant_id', tenantId)}`;
}
