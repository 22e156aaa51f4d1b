import type { OAuthClientId } from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { ClientTokenAnswer, TokenAnswer } from '@keywright/contract/records/tokens';
import type { Clock } from '../../../platform/clock.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { NoteUse } from '../../../tenancy/activity.ts';
import {
  mintAccessToken,
  mintResourceToken,
  tokenTypeOf,
  type TokenSubject,
  type TokenTarget,
} from '../../tokens/access-tokens/index.ts';
import { grantsOf } from '../../tokens/grants/index.ts';
import {
  fixedClaimsOf,
  type SessionFacts,
  type SessionService,
} from '../../tokens/sessions/index.ts';
import type { KeyRing, ApplicationJwts } from '../../tokens/signing-keys/index.ts';
import type { TokenBits } from '../../tokens/status-lists/index.ts';
import { isFapi2Client, type LoadedClient } from '../clients/index.ts';
import type { AuthorizationCode } from '../grants/index.ts';
import type { IdTokens } from '../id-tokens/index.ts';
import type { ResourceDirectory } from '../resources/index.ts';
import type { AuthenticatedAgent } from './agent-verification.ts';
import {
  type RefuseGrant,
  type TokenRequest,
  bindToKey,
  chooseDetails,
  hasFixedRefreshToken,
  mayRefresh,
  needsKey,
  needsMetadata,
  targetOf,
} from './token-request.ts';

/** Returns the token response of an OAuth client (RFC 6749 §5.1). */
export function tokenResponse(
  tokens: { readonly access_token: string; readonly expires_in: number; refresh_token?: string },
  scopes: readonly string[],
  /** RFC 9396 §7. */
  details: readonly AuthorizationDetail[] | undefined,
  jkt: string | undefined,
): ClientTokenAnswer {
  const { access_token, expires_in, refresh_token } = tokens;
  return {
    access_token,
    token_type: tokenTypeOf(jkt),
    expires_in,
    scope: scopes.join(' '),
    ...(details && { authorization_details: [...details] }),
    ...(refresh_token === undefined ? {} : { refresh_token }),
  };
}

interface ClientLogin {
  readonly client: LoadedClient;
  readonly tokens: Pick<TokenAnswer, 'access_token' | 'user'>;
  readonly scopes: readonly string[];
  readonly session: SessionFacts;
  readonly nonce?: string | undefined;
  /** Claims that the client requested by name. */
  readonly requestedClaims?: readonly string[];
}

/** Returns the ID token that accompanies an access token, if the client requested `openid`. */
export async function idTokenOf(
  idTokens: IdTokens,
  tenant: Tenant,
  { client, tokens, scopes, session, nonce, requestedClaims = [] }: ClientLogin,
): Promise<Pick<ClientTokenAnswer, 'id_token'>> {
  if (!scopes.includes('openid')) return {};
  const { id: sessionId, userId: id, name, picture, metadata, updatedAt, ...how } = session;
  const { identifiers } = tokens.user;
  const user = { id, name, picture, identifiers, metadata, updated_at: updatedAt };
  const accessToken = tokens.access_token;
  const login = { client, user, sessionId, ...how, nonce, scopes, requestedClaims, accessToken };
  return { id_token: await idTokens.issue({ tenant, ...login }) };
}

/** The grant of a user to a client. A row with the code's hash makes it usable only once. */
interface Granted extends Pick<
  AuthorizationCode,
  | 'userId'
  | 'workspaceId'
  | 'loginId'
  | 'consent'
  | 'scopes'
  | 'nonce'
  | 'targets'
  | 'details'
  | 'test'
> {
  readonly clientId: OAuthClientId;
  readonly codeHash: Buffer;
  /** Claims that the client requested by name. */
  readonly claims?: AuthorizationCode['claims'];
}

/** Opens a client's session for a user's grant, once per authorization code or device code. */
export class GrantRedemption {
  readonly #sessions: SessionService;
  readonly #idTokens: IdTokens;
  readonly #resources: ResourceDirectory;
  readonly #noteClientUse: NoteUse<OAuthClientId>;

  constructor(
    sessions: SessionService,
    idTokens: IdTokens,
    resources: ResourceDirectory,
    noteClientUse: NoteUse<OAuthClientId>,
  ) {
    this.#sessions = sessions;
    this.#idTokens = idTokens;
    this.#resources = resources;
    this.#noteClientUse = noteClientUse;
  }

  /** @returns `stale` if the client has changed */
  async redeem(
    { tenant, parameters, from, key }: TokenRequest,
    client: LoadedClient,
    granted: Granted,
    fail: RefuseGrant,
  ): Promise<ClientTokenAnswer | 'stale'> {
    const { scopes, nonce, claims, targets = [], test } = granted;
    const detailsNow = chooseDetails(
      client,
      granted.details,
      parameters.authorization_details,
      fail,
    );
    const resource = await this.#resources.chooseTarget(tenant, targets, parameters.resource, fail);
    const jkt = await bindToKey(key, needsKey(tenant, client, resource), fail);
    const requestedClaims = Object.keys(claims?.idToken ?? {});
    const redemption = {
      ...granted,
      targets,
      detailsNow,
      jkt,
      target: resource && targetOf(resource),
      clientVersion: client.version,
      userinfoClaims: Object.keys(claims?.userinfo ?? {}),
      endsWithLogin: test !== undefined || !scopes.includes('offline_access'),
      isRefreshable: mayRefresh(client, scopes),
      isFixed: hasFixedRefreshToken(client, jkt),
      endsAtSecondUse: isFapi2Client(tenant, client),
      showsMetadata: needsMetadata(scopes, requestedClaims),
    };
    // Clients have no browser.
    const tokens = await this.#sessions.redeemCode(tenant, redemption, { from, userAgent: null });
    if (tokens === 'stale') return tokens;
    if (typeof tokens === 'string') return fail('GRANT_INVALID', { internal: tokens });
    this.#noteClientUse(tenant.id, client.id);
    const login = { client, tokens, scopes, session: tokens.session, nonce, requestedClaims };
    const response = tokenResponse(tokens, resource ? tokens.scope : scopes, tokens.details, jkt);
    return { ...response, ...(await idTokenOf(this.#idTokens, tenant, login)) };
  }
}

/** The subject of a token that has no bit in a status list yet. */
export type NewTokenSubject = Omit<TokenSubject, 'bit'>;

/** Mints access tokens without a refresh token. */
export class AccessTokenMint {
  readonly #keys: KeyRing;
  readonly #jwts: ApplicationJwts;
  readonly #bits: TokenBits;
  readonly #clock: Clock;

  constructor(keys: KeyRing, jwts: ApplicationJwts, bits: TokenBits, clock: Clock) {
    this.#keys = keys;
    this.#jwts = jwts;
    this.#bits = bits;
    this.#clock = clock;
  }

  /**
   * Signs a token. @returns the response defined in RFC 6749 §5.1
   * @param target undefined: the tenant itself
   */
  async mint(
    tenant: Tenant,
    newSubject: NewTokenSubject,
    longestSeconds: number,
    target?: TokenTarget,
  ): Promise<ClientTokenAnswer> {
    const { sub, scopes, grant, grantEndsAt, details, jkt } = newSubject;
    const grants = grantsOf({ sub, tenant_id: tenant.id, ...grant });
    const now = this.#clock.now();
    const endsAt = Math.min(grantEndsAt.getTime(), now.getTime() + longestSeconds * 1000);
    const [key, bit] = await Promise.all([
      this.#keys.signer(tenant.id),
      this.#bits.of(tenant.id, grants, new Date(endsAt)),
    ]);
    const subject = { ...newSubject, bit };
    const { token, expiresIn } = target
      ? await mintResourceToken(this.#jwts, tenant, target, subject, now, longestSeconds)
      : mintAccessToken(key, tenant, subject, now, longestSeconds);
    return {
      access_token: token,
      token_type: tokenTypeOf(jkt),
      expires_in: expiresIn,
      scope: scopes.join(' '),
      ...(details && { authorization_details: [...details] }),
    };
  }
}

const NEVER = new Date(8.64e15);

/** Returns the subject of a token with which an agent acts for itself. */
export function agentSubject(
  tenant: Tenant,
  agent: AuthenticatedAgent,
  scopes: readonly string[],
): NewTokenSubject {
  const { agentId, workspaceId, version, keyId, endsAt = NEVER } = agent;
  const key = keyId === undefined ? {} : { key_id: keyId };
  return {
    sub: agentId,
    workspaceId,
    roles: [],
    scopes,
    grant: { client_id: agentId, ...key, ver: version },
    grantEndsAt: endsAt,
    customClaims: fixedClaimsOf(tenant),
  };
}
