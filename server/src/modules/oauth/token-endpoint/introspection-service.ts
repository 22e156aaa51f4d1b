import type { AccessTokenClaims, CredentialClaims } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import { parseOAuthClientId, parseUserId } from '@keywright/contract/ids';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import type { BodyOf, ErrorsOf, OkOf } from '@keywright/contract/route';
import type { introspectToken } from '@keywright/contract/routes/introspection';
import type { revokeToken } from '@keywright/contract/routes/revocation';
import { epochSeconds } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { looksLikeApiKey } from '../../machines/agents/index.ts';
import { firstActor } from '../../tokens/grants/index.ts';
import {
  endSession,
  findRefreshable,
  findUsableRefreshToken,
  type RefreshService,
} from '../../tokens/sessions/index.ts';
import type { ApplicationJwts } from '../../tokens/signing-keys/index.ts';
import type { ResourceDirectory } from '../resources/index.ts';
import type { AuthenticatedCaller, ClientAuthentication } from './client-authentication.ts';
import type { ClientRequest } from './token-request.ts';

/** The introspecting client, and the algorithm that signs responses to it. */
interface Introspector {
  readonly id: string;
  readonly algorithm: KeyAlgorithm;
}

type TokenStatus = OkOf<typeof introspectToken>;

/** Reports to an authorized client whether a token is active (RFC 7662). */
export class IntrospectionService {
  readonly #core: Core;
  readonly #authentication: ClientAuthentication;
  readonly #bearer: BearerService;
  readonly #refreshes: RefreshService;
  readonly #resources: ResourceDirectory;
  readonly #jwts: ApplicationJwts;

  constructor(
    core: Core,
    authentication: ClientAuthentication,
    bearer: BearerService,
    refreshes: RefreshService,
    resources: ResourceDirectory,
    jwts: ApplicationJwts,
  ) {
    this.#core = core;
    this.#authentication = authentication;
    this.#bearer = bearer;
    this.#refreshes = refreshes;
    this.#resources = resources;
    this.#jwts = jwts;
  }

  async introspect(
    request: ClientRequest<BodyOf<typeof introspectToken>>,
    fail: Fail<ErrorsOf<typeof introspectToken>>,
  ): Promise<{ readonly introspector: Introspector; readonly status: TokenStatus }> {
    const { tenant, parameters } = request;
    return this.#authentication.withAgentOrClient(request, fail, async (caller) => {
      const introspector = introspectorOf(caller) ?? fail('CLIENT_INVALID', PUBLIC_CLIENT);
      const status = await this.#statusOf(tenant, parameters.token, introspector);
      return { introspector, status: status ?? { active: false } };
    });
  }

  /** Returns the response as a JWT (RFC 9701 §5). Its type differs from that of a token, so it authenticates no one. */
  sign(tenant: Tenant, { id, algorithm }: Introspector, status: TokenStatus): Promise<string> {
    return this.#jwts.sign(tenant.id, {
      alg: algorithm,
      typ: 'token-introspection+jwt',
      claims: {
        iss: tenant.issuer,
        aud: id,
        iat: epochSeconds(this.#core.clock.now()),
        token_introspection: status,
      },
    });
  }

  /** @returns undefined unless the token is active and the client is authorized to introspect it */
  async #statusOf(
    tenant: Tenant,
    token: string,
    introspector: Introspector,
  ): Promise<TokenStatus | undefined> {
    if (looksLikeApiKey(token)) {
      const claims = await this.#bearer.findActive(tenant, token);
      return claims?.client_id === introspector.id ? activeStatus(claims) : undefined;
    }
    const claims = await this.#bearer.findIssued(tenant, token);
    if (!claims) {
      const presented = await this.#refreshes.read(tenant, token);
      const refresh = presented && (await findUsableRefreshToken(this.#core, tenant, presented));
      return refresh?.client_id === introspector.id ? { ...refresh, active: true } : undefined;
    }
    if (!(await this.#mayKnow(tenant, introspector, claims))) return undefined;
    if (!(await this.#bearer.isUsable(claims))) return undefined;
    return activeStatus(claims);
  }

  /** Whether the token was issued to the client, or for a resource that the client serves. */
  async #mayKnow(
    tenant: Tenant,
    { id }: Introspector,
    { client_id: clientId, aud }: CredentialClaims,
  ): Promise<boolean> {
    if (aud === tenant.audience) return clientId === id;
    const resource = (await this.#resources.of(tenant.id)).at(aud);
    return resource !== undefined && (clientId === id || resource.servedBy.includes(id));
  }
}

/** RFC 7662 §2.1: the client must authenticate; otherwise anyone could try tokens. */
const PUBLIC_CLIENT = { internal: 'public client' };

function introspectorOf(caller: AuthenticatedCaller): Introspector | undefined {
  if ('agent' in caller) return { id: caller.agent.agentId, algorithm: 'EdDSA' };
  const { id, token_endpoint_auth_method: method, id_token_signed_response_alg } = caller.client;
  return method === 'none' ? undefined : { id, algorithm: id_token_signed_response_alg };
}

/** RFC 7662 §2.2 uses the name `token_type` differently from the claim. */
function activeStatus(claims: CredentialClaims): TokenStatus {
  return { ...claims, token_type: claims.cnf ? 'DPoP' : 'Bearer', active: true };
}

const OF_ANOTHER_CLIENT = { detail: 'The token was not issued to this client.' };

/** Ends the session of a token on request of the client to which it was issued (RFC 7009). */
export class RevocationService {
  readonly #gate: Gate;
  readonly #authentication: ClientAuthentication;
  readonly #bearer: BearerService;
  readonly #refreshes: RefreshService;

  constructor(
    gate: Gate,
    authentication: ClientAuthentication,
    bearer: BearerService,
    refreshes: RefreshService,
  ) {
    this.#gate = gate;
    this.#authentication = authentication;
    this.#bearer = bearer;
    this.#refreshes = refreshes;
  }

  async revoke(
    request: ClientRequest<BodyOf<typeof revokeToken>>,
    fail: Fail<ErrorsOf<typeof revokeToken>>,
  ): Promise<void> {
    const { tenant, parameters, from } = request;
    const client = await this.#authentication.client(request, fail);
    const session = await this.#findSession(tenant, parameters.token);
    // RFC 7009 §2.2: the token is already unusable, as the client intended.
    if (!session) return;
    const { sessionId, userId, clientId } = session;
    // RFC 7009 §2.1.
    if (clientId !== client.id) return fail('CLIENT_UNAUTHORIZED', OF_ANOTHER_CLIENT);
    if (sessionId === undefined || userId === undefined) return;
    const by = { kind: 'app', subject: userId, clientId: client.id, sessionId, from } as const;
    await this.#gate.into(tenant.id).transaction((tx) => endSession(tx, by, sessionId, 'revoked'));
  }

  /**
   * Returns the session of a token; undefined if this tenant did not issue it. The client is undefined unless the
   * session belongs to one.
   */
  async #findSession(tenant: Tenant, token: string) {
    const claims = await this.#bearer.findIssued(tenant, token);
    if (!claims) {
      const presented = await this.#refreshes.read(tenant, token);
      return presented && findRefreshable(this.#gate, tenant, presented);
    }
    const { sid: sessionId, sub } = claims;
    const [userId, clientId] = [parseUserId(sub), parseOAuthClientId(ownerOf(claims))];
    return { sessionId, userId, clientId };
  }
}

/** Returns the client to which the session belongs, not a client that exchanged its token for this one. */
function ownerOf({ client_id: clientId, act }: AccessTokenClaims): string {
  return act ? firstActor(act).sub : clientId;
}
