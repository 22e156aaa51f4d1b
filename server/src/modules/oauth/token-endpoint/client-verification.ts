// Verifies how agents and OAuth clients prove who they are.

import type { AccessTokenClaims } from '@keywright/contract/claims';
import { AppError, type Fail, fail as throwError } from '@keywright/contract/errors';
import {
  type AgentId,
  type ApiKeyId,
  DEFAULT_TENANT,
  parseAgentId,
  type WorkspaceId,
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
import { isUnderFapi2, WEAK_ALGORITHM } from '../../../tenancy/oauth-profile.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import type { ApiKeys } from '../../machines/api-keys/index.ts';
import {
  type ClientRow,
  ClientKeys,
  ClientAssertions,
  findClient,
  type FoundKey,
  registeredKey,
  type SpentStatements,
} from '../../tokens/proofs/index.ts';
import {
  type Clients,
  flawsUnder,
  hasSecret,
  hasSecrets,
  isFapi2Client,
  isAllowed,
  type KnownClient,
  profileOf,
} from '../clients/index.ts';
import type { ClientProof, PresentedClient } from './client-request.ts';

/** An authenticated agent, and what its token may contain. */
export interface AuthenticatedAgent {
  readonly agentId: AgentId;
  readonly workspaceId: WorkspaceId;
  readonly scopes: readonly string[];
  /** `ver`: of the agent, at the moment that its scopes are of. */
  readonly version: number;
  /** The API key with which it authenticated. */
  readonly keyId?: ApiKeyId;
  /** When its credential expires. */
  readonly endsAt?: Date;
  /** How it authenticated, for the audit log. */
  readonly grounds: Grounds;
}

type Grounds =
  | { readonly by: ClientProof['by'] }
  | { readonly by: 'trust'; readonly issuer: string; readonly subject: string };

/** Verifies the credentials of agents: an API key, a signed assertion, or an access token of the agent. */
export class AgentVerifier {
  readonly #apiKeys: ApiKeys;
  readonly #bearer: BearerService;
  readonly #assertions: ClientAssertions<ClientRow>;

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
      find: findClient,
      findObjection: (tenant, _, token) =>
        isUnderFapi2(tenant) ? fapi2Objection(tenant, token) : undefined,
      findKey: async (_, { jwks }, token) => registeredKey(jwks, token),
    });
  }

  /** @throws AppError CLIENT_INVALID, the same for every failure */
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
      // The key first and then its agent: an unknown id gets the same answer as a wrong key.
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

/** An agent that authenticated with a key or a token. */
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

/** An agent that authenticated with a signature, its own or that of an issuer that it trusts: all its permissions. */
export function agentOfRow(row: ClientRow, grounds: Grounds): AuthenticatedAgent {
  const { id, workspace_id: workspaceId, scopes, access_version: version } = row;
  return { agentId: id, workspaceId, scopes, version, grounds };
}

const REJECTIONS: readonly AppError['code'][] = ['TOKEN_INVALID', 'TENANT_MISMATCH'];

/**
 * The claims of an access token of the tenant that is valid now; undefined for any other. A token that is bound to a key
 * proves nothing without a proof by that key, which this request does not contain.
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

/** The key of an OAuth client that may have signed a token: registered, or fetched from its `jwks_uri`. */
export class ClientSigningKeys {
  readonly #published: ClientKeys;

  constructor({ egress, clock }: Core) {
    this.#published = new ClientKeys(egress, clock);
  }

  /** May fetch the key, so no row is locked meanwhile. */
  async find(
    tenant: Tenant,
    { jwks, jwks_uri: uri }: Pick<KnownClient, 'jwks' | 'jwks_uri'>,
    token: OutsideToken,
  ): Promise<FoundKey> {
    return uri === null ? registeredKey(jwks, token) : this.#published.find(tenant.id, uri, token);
  }
}

/**
 * `cached`: as this node knows the client. Only for a step that compares the version of the client in its statement: a
 * secret that was revoked a moment ago may still be accepted here.
 */
export type ClientSource = 'cached' | 'database';

/** Verifies the credentials of OAuth clients: a secret, a signed assertion, or nothing for public clients. */
export class ClientVerifier {
  readonly #clients: Clients;
  readonly #assertions: ClientAssertions<KnownClient>;

  constructor(
    core: Core,
    spentStatements: SpentStatements,
    clients: Clients,
    signingKeys: ClientSigningKeys,
  ) {
    this.#clients = clients;
    this.#assertions = new ClientAssertions(core.gate, core.clock, spentStatements, {
      audiences: (tenant) => audiencesOf(tenant, core.baseUrl()),
      // Keys are fetched only for active clients that sign their assertions.
      find: async (tx, named) => {
        const client = await clients.findIn(tx, named);
        return client?.is_active ? withMethod(client, isSigning) : undefined;
      },
      findObjection: (tenant, client, token) =>
        isFapi2Client(tenant, client) ? fapi2Objection(tenant, token) : undefined,
      findKey: (tenant, client, token) => signingKeys.find(tenant, client, token),
    });
  }

  /** @throws AppError CLIENT_INVALID, the same for every failure */
  async verify(
    tenant: Tenant,
    presented: PresentedClient,
    source: ClientSource,
    fail: Fail<'CLIENT_INVALID'>,
  ): Promise<KnownClient> {
    const { proof } = presented;
    const verdict =
      proof?.by === 'assertion'
        ? await this.#assertions.verify(tenant, proof.token, proof.clientId)
        : { client: await this.#find(tenant, presented, source), refusal: 'application' };
    const { client, refusal: internal = 'application' } = verdict;
    const isGood = client?.is_active && isAllowed(tenant.config, client.id);
    return isGood ? requireProfile(tenant, client, fail) : fail('CLIENT_INVALID', { internal });
  }

  async #find(
    tenant: Tenant,
    { proof, clientId }: PresentedClient,
    source: ClientSource,
  ): Promise<KnownClient | undefined> {
    // A public client is named, and proves nothing: its code verifier or refresh token does.
    if (!proof) {
      return this.#findNamed(tenant, clientId, source, (client) =>
        withMethod(client, (method) => method === 'none'),
      );
    }
    if (proof.by === 'secret') {
      const { secret } = proof;
      return this.#findNamed(tenant, proof.clientId, source, (client) =>
        hasSecret(client, secret) ? withMethod(client, hasSecrets) : undefined,
      );
    }
    return undefined;
  }

  /**
   * A cached client counts only if it is accepted: a secret may be newer. So each failure sends one statement in vain,
   * whether the client is unknown, known or cached.
   */
  async #findNamed(
    { id }: Tenant,
    name: string,
    source: ClientSource,
    accept: (client: KnownClient | undefined) => KnownClient | undefined,
  ): Promise<KnownClient | undefined> {
    if (source === 'database') return accept(await this.#clients.find(id, name));
    const cached = this.#clients.known(id, name);
    const isRead = cached instanceof Promise;
    const accepted = accept(await cached);
    return accepted || isRead ? accepted : accept(await this.#clients.find(id, name));
  }
}

/** A client that was registered before its tenant took on the profile may not meet it. */
function requireProfile(
  tenant: Tenant,
  client: KnownClient,
  fail: Fail<'CLIENT_INVALID'>,
): KnownClient {
  const [flaw] = flawsUnder(profileOf(tenant, client), client);
  if (!flaw) return client;
  const { path, message } = flaw;
  return fail('CLIENT_INVALID', { detail: `${path} ${message}.`, internal: `fapi2: ${path}` });
}

/** The client, if it is registered to authenticate in this way. */
function withMethod(
  client: KnownClient | undefined,
  isAccepted: (method: KnownClient['token_endpoint_auth_method']) => boolean,
): KnownClient | undefined {
  return client && isAccepted(client.token_endpoint_auth_method) ? client : undefined;
}

function isSigning(method: KnownClient['token_endpoint_auth_method']): boolean {
  return method === 'private_key_jwt';
}

/** FAPI 2.0 Security Profile §5.3.2.1 items 6 and 8, §5.4.1: why an assertion does not authenticate a client. */
function fapi2Objection(
  { issuer }: Pick<Tenant, 'issuer'>,
  { alg, claims }: Pick<OutsideToken, 'alg' | 'claims'>,
): string | undefined {
  if (alg === WEAK_ALGORITHM) return 'fapi2: alg';
  return claims['aud'] === issuer ? undefined : 'fapi2: aud';
}

/** The addresses of the token endpoint of a tenant, and the one that clients find in its metadata. */
export function addressesOf(tenantId: string, baseUrl: string) {
  const shared = `${baseUrl}${issueToken.path}`;
  const byIssuer = addressIn(tenantId, baseUrl, issueTokenByIssuer);
  const tokenEndpoint = tenantId === DEFAULT_TENANT ? shared : byIssuer;
  return { tokenEndpoint, tokenEndpoints: [shared, byIssuer] };
}

/** The audiences of client assertions: the issuer of the tenant, and the endpoints where clients authenticate. */
function audiencesOf({ id, issuer }: Tenant, baseUrl: string): readonly string[] {
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
