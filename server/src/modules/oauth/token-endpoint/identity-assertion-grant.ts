import { AppError } from '@keywright/contract/errors';
import type { IdentityProviderId, OAuthClientId, UserId } from '@keywright/contract/ids';
import { ASSERTION_GRANT } from '@keywright/contract/records/client-grants';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { intersectScopes, isCommonPermission } from '@keywright/contract/scopes';
import { newSessionId, randomId } from '../../../platform/crypto/ids.ts';
import {
  outsideSignatureIsValid,
  parseOutsideToken,
} from '../../../platform/crypto/outside-jws.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { NoteUse } from '../../../tenancy/activity.ts';
import {
  findProvider,
  providerOf,
  identityOf,
} from '../../authentication/identity-providers/index.ts';
import { findLinked } from '../../authentication/upstream-logins/index.ts';
import { type Notes, record } from '../../events/journal/index.ts';
import { type IssuerKeys, endOf, type SpentStatements } from '../../tokens/proofs/index.ts';
import {
  customClaimsOf,
  type SessionUser,
  lockSessionUser,
  insertAssertedSession,
} from '../../tokens/sessions/index.ts';
import { isGoodEnough } from '../../identity/users/index.ts';
import type { LoadedClient } from '../clients/index.ts';
import { grantAndLockConsent } from '../grants/index.ts';
import {
  commonScopes,
  type Resource,
  type ResourceDirectory,
  scopesAt,
} from '../resources/index.ts';
import type { ClientAuthentication } from './client-authentication.ts';
import {
  type Grant,
  type RefuseGrant,
  type TokenRequest,
  bindToKey,
  chooseScopes,
  needsKey,
  requireGrantType,
  requireParameter,
} from './token-request.ts';
import { type Assertion, readAssertion } from './identity-assertions.ts';
import { noteDenied } from './token-exchange.ts';
import type { AccessTokenMint } from './token-response.ts';

/** A verified assertion, which is used up. */
interface VerifiedAssertion extends Assertion {
  /** The provider that issued the assertion. */
  readonly providerId: IdentityProviderId;
  /** Whether the provider verified two factors and the tenant trusts it to do so. */
  readonly hasTwoFactors: boolean;
}

/**
 * RFC 7523 §2.1 with an identity assertion (draft-ietf-oauth-identity-assertion-authz-grant): issues an access
 * token for a user for whom the tenant's identity provider vouches. The user sees no page, since the administrators
 * of both sides have decided.
 */
export class IdentityAssertionGrant implements Grant {
  readonly #core: Core;
  readonly #authentication: ClientAuthentication;
  readonly #spentStatements: SpentStatements;
  readonly #resources: ResourceDirectory;
  readonly #mint: AccessTokenMint;
  readonly #noteClientUse: NoteUse<OAuthClientId>;
  readonly #notes: Notes;
  readonly #issuerKeys: IssuerKeys;

  constructor(
    core: Core,
    authentication: ClientAuthentication,
    spentStatements: SpentStatements,
    issuerKeys: IssuerKeys,
    resources: ResourceDirectory,
    mint: AccessTokenMint,
    noteClientUse: NoteUse<OAuthClientId>,
    notes: Notes,
  ) {
    this.#core = core;
    this.#authentication = authentication;
    this.#spentStatements = spentStatements;
    this.#resources = resources;
    this.#mint = mint;
    this.#noteClientUse = noteClientUse;
    this.#notes = notes;
    this.#issuerKeys = issuerKeys;
  }

  async issue(request: TokenRequest, fail: RefuseGrant): Promise<ClientTokenAnswer> {
    const client = await this.#authentication.client(request, fail);
    requireGrantType(client, ASSERTION_GRANT, fail);
    return this.#redeem(request, client, fail).catch((error: unknown) => {
      if (error instanceof AppError) {
        noteDenied(this.#notes, request, client, 'auth.assertion_redeemed', error);
      }
      throw error;
    });
  }

  async #redeem(
    request: TokenRequest,
    client: LoadedClient,
    fail: RefuseGrant,
  ): Promise<ClientTokenAnswer> {
    const { tenant, parameters, key } = request;
    const text = parameters.assertion ?? requireParameter('assertion', fail);
    const assertion = await this.#verify(tenant, client, text, key?.jkt);
    if ('refusal' in assertion) return fail('GRANT_INVALID', { internal: assertion.refusal });
    const target = await this.#targetOf(tenant, assertion, parameters.resource, fail);
    const jkt = await bindToKey(key, needsKey(tenant, client, target), fail);
    const opened = await this.#openSession(request, { client, assertion, target }, fail);
    const { userId, sessionId, workspaceId, scopes, authentication, endsAt } = opened;
    const subject = {
      sub: userId,
      workspaceId,
      roles: [],
      scopes,
      grant: { sid: sessionId, client_id: client.id, ver: 0 },
      authentication: {
        auth_time: Math.floor(authentication.auth_time.getTime() / 1000),
        acr: authentication.acr,
        amr: [...authentication.amr],
      },
      grantEndsAt: endsAt,
      customClaims: await customClaimsOf(this.#core.gate, tenant, userId),
      jkt,
    };
    const response = await this.#mint.mint(tenant, subject, tenant.config.session_timeout, target);
    this.#noteClientUse(tenant.id, client.id);
    return response;
  }

  /**
   * Verifies that the client can present this assertion, and that a provider trusted by the tenant issued it
   * (RFC 7523 §3).
   */
  async #verify(
    tenant: Tenant,
    client: LoadedClient,
    text: string,
    jkt: string | undefined,
  ): Promise<VerifiedAssertion | { readonly refusal: string }> {
    const token = parseOutsideToken(text);
    if (!token) return { refusal: 'malformed' };
    // Checks that do not need a key come first.
    const expected = { issuer: tenant.issuer, clientId: client.id, jkt };
    const assertion = readAssertion(token, expected, this.#core.clock.now());
    if ('refusal' in assertion) return assertion;
    const { issuer, subject, jti } = assertion;
    // Keys are fetched only from providers whose assertions this client can present.
    const provider = await this.#findProvider(tenant, client, issuer);
    if (!provider) return { refusal: 'iss' };
    const found = await this.#issuerKeys.find(tenant.id, issuer, token);
    if (!found.key) return { refusal: found.refusal };
    if (!outsideSignatureIsValid(token, found.key)) return { refusal: 'signature' };
    const endsAt = endOf(token.claims);
    if (!(await this.#spentStatements.spend({ tenantId: tenant.id, maker: issuer, jti, endsAt }))) {
      return { refusal: 'used before' };
    }
    const { has_mfa: hasMfa } = identityOf(provider, subject, token.claims);
    const hasTwoFactors = provider.settings.trust_mfa && hasMfa;
    return { ...assertion, providerId: provider.id, hasTwoFactors };
  }

  /** Returns the provider with this issuer, if the client names it. */
  async #findProvider(
    { id }: Tenant,
    { identity_assertions: { providers } }: LoadedClient,
    issuer: string,
  ) {
    const rows = await this.#core.gate
      .into(id)
      .transaction((tx) => Promise.all(providers.map((provider) => findProvider(tx, provider))));
    return rows
      .flatMap((row) => (row?.is_active && row.type === 'oidc' ? providerOf(row) : []))
      .find(({ settings }) => settings.issuer === issuer);
  }

  /**
   * Returns the resource that the assertion names, which the request cannot change. Without a resource, the target is
   * the tenant.
   */
  async #targetOf(
    tenant: Tenant,
    { resource }: VerifiedAssertion,
    requested: string | readonly string[] | undefined,
    fail: RefuseGrant,
  ): Promise<Resource | undefined> {
    const uris = [requested ?? []].flat();
    if (!uris.every((uri) => uri === resource)) fail('TARGET_INVALID');
    return this.#resources.chooseTarget(tenant, undefined, resource, fail);
  }

  /** Opens the session of the token, which ends like any other session. It has no refresh token. */
  async #openSession(request: TokenRequest, redeemed: RedeemedAssertion, fail: RefuseGrant) {
    const { tenant } = request;
    const { assertion } = redeemed;
    const refuse = (internal: string) => fail('GRANT_INVALID', { internal });
    const data = this.#core.gate.into(tenant.id);
    const { providerId, subject } = assertion;
    const linked = await data.transaction((tx) => findLinked(tx, providerId, subject));
    if (!linked) return refuse('user');
    const userId = linked.id;
    const authentication = authenticationOf(assertion);
    const login = { ...authentication, user_id: userId, provider_id: providerId };
    if (!(await isGoodEnough(data, tenant, login))) {
      return refuse('policy');
    }
    const asserted = { ...redeemed, userId, authentication };
    return data.transaction((tx) => openWithin(tx, request, asserted, fail));
  }
}

function authenticationOf({ authTime, hasTwoFactors }: VerifiedAssertion) {
  return {
    auth_time: new Date(authTime * 1000),
    acr: hasTwoFactors ? ('aal2' as const) : ('aal1' as const),
    // RFC 8176 §2: `mfa` is listed alongside the method.
    amr: hasTwoFactors ? ['fed', 'mfa'] : ['fed'],
  };
}

interface RedeemedAssertion {
  readonly client: LoadedClient;
  readonly assertion: VerifiedAssertion;
  readonly target: Resource | undefined;
}

interface AssertedLogin extends RedeemedAssertion {
  readonly userId: UserId;
  readonly authentication: ReturnType<typeof authenticationOf>;
}

/** Added to the lifetime of the session: the token is signed after its session is stored, and has a full lifetime. */
const SIGNED_WITHIN_SECONDS = 60;

async function openWithin(
  tx: TenantTx,
  { tenant, parameters, from }: TokenRequest,
  { client, assertion, target, userId, authentication }: AssertedLogin,
  fail: RefuseGrant,
) {
  const refuse = (internal: string) => fail('GRANT_INVALID', { internal });
  const user = (await lockSessionUser(tx, userId)) ?? refuse('user');
  const { scopes: callerScopes, workspaceId } = user;
  if (lacksFactor(authentication, user)) refuse('second factor');
  const possible = possibleScopes(client, assertion, target, callerScopes);
  const scopes = chooseScopes(possible, parameters.scope, fail);
  if (scopes.length === 0) fail('SCOPE_INVALID', NOTHING_IN_COMMON);
  const { id: clientId } = client;
  const sessionId = newSessionId(tx.now);
  const by = { kind: 'app', subject: userId, clientId, sessionId, from } as const;
  const at = target ? [{ resourceId: target.id, scopes }] : [];
  const noPage = { details: undefined, redirectOrigin: undefined };
  const granted = { userId, clientId, scopes: target ? [] : scopes, at, ...noPage };
  if (!(await grantAndLockConsent(tx, by, granted))) refuse('consent');
  const seconds = tenant.config.session_timeout + SIGNED_WITHIN_SECONDS;
  const endsAt = new Date(tx.now.getTime() + seconds * 1000);
  const opened = { userId, workspaceId, scopes, authentication, endsAt };
  await insertAssertedSession(tx, {
    ...opened,
    id: sessionId,
    clientId,
    providerId: assertion.providerId,
    address: from.address,
    secretHash: sha256(randomId()),
  });
  const data = { user_id: userId, session_id: sessionId, workspace_id: workspaceId };
  await record(tx, by, {
    action: 'auth.assertion_redeemed',
    target: { kind: 'session', id: sessionId },
    details: {
      client_id: clientId,
      issuer: assertion.issuer,
      ...(target && { resource: target.uri }),
      scopes: [...scopes],
    },
    events: [{ type: 'session.created', data }],
  });
  return { ...opened, sessionId };
}

/**
 * Whether the login lacks a second factor. A user who has one here needs it at each login. Two factors at a trusted
 * provider replace it unless the user holds scopes.
 */
function lacksFactor({ acr }: AssertedLogin['authentication'], user: SessionUser): boolean {
  return user.hasSecondFactor && (acr === 'aal1' || user.scopes.length > 0);
}

/** Returns the scopes that the assertion contains, the client can have, the resource has, and the user holds. */
function possibleScopes(
  client: LoadedClient,
  { scopes: asserted = client.scopes }: VerifiedAssertion,
  target: Resource | undefined,
  callerScopes: readonly string[],
): readonly string[] {
  const common = commonScopes(asserted, client.scopes);
  return target
    ? scopesAt(target, common, callerScopes)
    : intersectScopes(common.filter(isCommonPermission), callerScopes);
}

const NOTHING_IN_COMMON = {
  detail: 'The assertion, the application, the resource and the user share no scope.',
};
