import { type AccessTokenClaims, type ActorClaim, MAX_ACTORS } from '@keywright/contract/claims';
import { AppError } from '@keywright/contract/errors';
import {
  type OAuthClientId,
  parseOAuthClientId,
  parseUserId,
  type SessionId,
  type UserId,
} from '@keywright/contract/ids';
import { EXCHANGE_GRANT } from '@keywright/contract/records/client-grants';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import type { Core } from '../../../tenancy/module.ts';
import type { NoteUse } from '../../../tenancy/activity.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { anonymous, type Notes, record } from '../../events/journal/index.ts';
import { findUsableRolesOf } from '../../identity/users/index.ts';
import { countActors } from '../../tokens/grants/index.ts';
import { customClaimsOf } from '../../tokens/sessions/index.ts';
import type { LoadedClient } from '../clients/index.ts';
import {
  commonScopes,
  isTooWeak,
  TENANT_RESOURCE,
  type Resource,
  type ResourceDirectory,
  scopesAt,
  type TenantResources,
  targetsNamed,
} from '../resources/index.ts';
import { LONGEST_DELEGATED_SECONDS } from './agent-exchange.ts';
import type { ClientAuthentication } from './client-authentication.ts';
import {
  type Grant,
  type RefuseGrant,
  type TokenRequest,
  bindToKey,
  chooseDetails,
  chooseScopes,
  needsKey,
  refuseParameter,
  requireAccessTokenRequested,
  requireGrantType,
  requireParameter,
  targetOf,
} from './token-request.ts';
import type { IdentityAssertions } from './identity-assertions.ts';
import type { AccessTokenMint, NewTokenSubject } from './token-response.ts';

/** An access token that the client can exchange, with the actors of the new token. */
interface Exchangeable {
  readonly claims: AccessTokenClaims;
  readonly subject: ExchangedSubject;
  readonly act: ActorClaim | undefined;
}

/**
 * RFC 8693 §2 for OAuth clients: exchanges a user's access token for a narrower one for a resource. The token is
 * the client's own, or was sent to the service that the client is. The new token depends on the session of the first;
 * there is no refresh token.
 */
export class TokenExchangeGrant implements Grant {
  readonly #core: Core;
  readonly #authentication: ClientAuthentication;
  readonly #bearer: BearerService;
  readonly #resources: ResourceDirectory;
  readonly #mint: AccessTokenMint;
  readonly #assertions: IdentityAssertions;
  readonly #noteClientUse: NoteUse<OAuthClientId>;
  readonly #notes: Notes;

  constructor(
    core: Core,
    authentication: ClientAuthentication,
    bearer: BearerService,
    resources: ResourceDirectory,
    mint: AccessTokenMint,
    assertions: IdentityAssertions,
    noteClientUse: NoteUse<OAuthClientId>,
    notes: Notes,
  ) {
    this.#core = core;
    this.#authentication = authentication;
    this.#bearer = bearer;
    this.#resources = resources;
    this.#mint = mint;
    this.#assertions = assertions;
    this.#noteClientUse = noteClientUse;
    this.#notes = notes;
  }

  async issue(request: TokenRequest, fail: RefuseGrant): Promise<ClientTokenAnswer> {
    const client = await this.#authentication.client(request, fail);
    requireGrantType(client, EXCHANGE_GRANT, fail);
    const isAssertion = request.parameters.requested_token_type === TOKEN_TYPE.idJag;
    const action = isAssertion ? 'auth.identity_asserted' : 'auth.token_exchanged';
    const response = isAssertion
      ? this.#assertions.issue(request, client, fail)
      : this.#exchange(request, client, fail);
    return response.catch((error: unknown) => {
      if (error instanceof AppError) noteDenied(this.#notes, request, client, action, error);
      throw error;
    });
  }

  async #exchange(
    request: TokenRequest,
    client: LoadedClient,
    fail: RefuseGrant,
  ): Promise<ClientTokenAnswer> {
    const { tenant, parameters, key } = request;
    requireAccessTokenRequested(parameters, fail);
    if (parameters.subject_token_type !== TOKEN_TYPE.accessToken) {
      refuseParameter('subject_token_type', `must be ${TOKEN_TYPE.accessToken}`, fail);
    }
    const resources = await this.#resources.of(tenant.id);
    const resource = requestedResource(request, resources, fail);
    const exchangeable = await this.#readSubjectToken(request, client, resources, fail);
    const { claims, subject, act } = exchangeable;
    // Otherwise a stolen bound token could be exchanged for one that is not bound to a key.
    const isBound = claims.cnf !== undefined || needsKey(tenant, client, resource);
    const jkt = await bindToKey(key, isBound, fail);
    const { scopes, details } = await this.#decide(request, client, exchangeable, resource, fail);
    const { userId, sessionId } = subject;
    const newSubject = {
      sub: userId,
      workspaceId: claims.workspace_id,
      roles: [],
      scopes,
      grant: { sid: sessionId, client_id: client.id, ver: claims.ver, ...(act && { act }) },
      authentication: authenticationOf(claims),
      grantEndsAt: new Date(claims.exp * 1000),
      customClaims: await customClaimsOf(this.#core.gate, tenant, userId),
      ...(details.length > 0 && { details }),
      jkt,
    };
    const longest = Math.min(LONGEST_DELEGATED_SECONDS, tenant.config.session_timeout);
    const response = await this.#mint.mint(tenant, newSubject, longest, resource);
    this.#noteClientUse(tenant.id, client.id);
    return { ...response, issued_token_type: TOKEN_TYPE.accessToken };
  }

  /** @throws AppError EXCHANGE_REFUSED, which does not reveal what is wrong with the token */
  async #readSubjectToken(
    { tenant, parameters, key }: TokenRequest,
    client: LoadedClient,
    resources: TenantResources,
    fail: RefuseGrant,
  ): Promise<Exchangeable> {
    const token = parameters.subject_token ?? requireParameter('subject_token', fail);
    const claims = await this.#bearer.findIssued(tenant, token);
    const subject = claims && subjectOf(claims);
    const refuse = (internal: string) => fail('EXCHANGE_REFUSED', { internal });
    const now = this.#core.clock.now().getTime();
    if (!subject || claims.exp * 1000 <= now) return refuse('subject_token');
    if (!mayExchange(claims, client.id, resources)) return refuse('subject_token_of_another');
    if (isBoundElsewhere(claims, client.id, key?.jkt)) return refuse('subject_token_bound');
    if (!(await this.#bearer.isUsable(claims))) return refuse('subject_token_ended');
    const act = chainWith(claims, client.id);
    return act === 'full' ? fail('EXCHANGE_REFUSED', CHAIN_TOO_LONG) : { claims, subject, act };
  }

  /** Decides and records the scopes and details of the new token, so that every token has an audit entry. */
  #decide(
    { tenant, parameters, from }: TokenRequest,
    client: LoadedClient,
    { claims, subject }: Exchangeable,
    resource: Resource,
    fail: RefuseGrant,
  ): Promise<Pick<NewTokenSubject, 'scopes'> & Required<Pick<NewTokenSubject, 'details'>>> {
    const granted = targetOf(resource).detailsFor(claims.authorization_details ?? []);
    const details = chooseDetails(client, granted, parameters.authorization_details, fail);
    const { userId, sessionId, clientId } = subject;
    return this.#core.gate.into(tenant.id).transaction(async (tx) => {
      const userScopes = (await findUsableRolesOf(tx, userId)).flatMap((role) => role.scopes);
      const common = commonScopes(claims.scopes, client.scopes);
      const scopes = chooseScopes(scopesAt(resource, common, userScopes), parameters.scope, fail);
      if (scopes.length === 0) fail('SCOPE_INVALID', NOTHING_IN_COMMON);
      const by = { kind: 'app', subject: userId, clientId: client.id, sessionId, from } as const;
      await record(tx, by, {
        action: 'auth.token_exchanged',
        target: { kind: 'user', id: userId },
        details: {
          subject_client_id: clientId,
          resource: resource.uri,
          scopes: [...scopes],
          ...(details.length > 0 && { authorization_details: details }),
        },
      });
      return { scopes, details };
    });
  }
}

const CHAIN_TOO_LONG = { detail: `A delegation chain has at most ${MAX_ACTORS} actors.` };
const SINGLE_RESOURCE = { detail: 'Send one resource of the tenant, as resource or audience.' };
const NOTHING_IN_COMMON = {
  detail: 'The token, the application and the resource share no scope.',
};

/** Returns the single resource of the new token, for which RFC 8693 §2.1 has two parameters. */
function requestedResource(
  { tenant, parameters }: TokenRequest,
  resources: TenantResources,
  fail: RefuseGrant,
): Resource {
  const uris = [parameters.resource ?? [], parameters.audience ?? []].flat();
  const [target = TENANT_RESOURCE, ...others] = targetsNamed(uris, tenant, resources) ?? [];
  const resource = target === TENANT_RESOURCE ? undefined : resources.named(target);
  const isValid = resource && others.length === 0 && !isTooWeak(tenant, resource);
  return isValid ? resource : fail('TARGET_INVALID', SINGLE_RESOURCE);
}

/** The user, session and client of an access token. */
interface ExchangedSubject {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  /** The client to which the token was issued. */
  readonly clientId: OAuthClientId;
}

/** Returns undefined for a token of a direct login, an agent, or an impersonation. */
function subjectOf({
  sub,
  sid: sessionId,
  client_id: client,
}: AccessTokenClaims): ExchangedSubject | undefined {
  const [userId, clientId] = [parseUserId(sub), parseOAuthClientId(client)];
  return userId && clientId && sessionId !== undefined
    ? { userId, sessionId, clientId }
    : undefined;
}

/**
 * Whether the token was issued to the client, or sent to the service that the client is. Otherwise a client could
 * exchange a token that it merely found.
 */
function mayExchange(
  { client_id: owner, aud }: AccessTokenClaims,
  clientId: OAuthClientId,
  resources: TenantResources,
): boolean {
  return owner === clientId || (resources.at(aud)?.servedBy.includes(clientId) ?? false);
}

/**
 * Returns the actors of the new token (RFC 8693 §4.1): the newest is outermost, and the client that the user
 * logged in to is innermost. A client that narrows its own token adds no actor.
 * @returns `full` if the chain would be too long
 */
function chainWith(
  { client_id: owner, act }: AccessTokenClaims,
  clientId: OAuthClientId,
): ActorClaim | undefined | 'full' {
  if (owner === clientId) return act;
  const chain = { sub: clientId, act: act ?? { sub: owner } };
  return countActors(chain) > MAX_ACTORS ? 'full' : chain;
}

/**
 * Whether a client's own token is bound to a key other than the one that the client proves. A token that was sent to
 * a service is bound to the sender's key, whose proof the service checked.
 */
function isBoundElsewhere(
  { client_id: owner, cnf }: AccessTokenClaims,
  clientId: OAuthClientId,
  jkt: string | undefined,
): boolean {
  return owner === clientId && cnf !== undefined && cnf.jkt !== jkt;
}

function authenticationOf({ auth_time, acr, amr }: AccessTokenClaims) {
  return {
    ...(auth_time !== undefined && { auth_time }),
    ...(acr !== undefined && { acr }),
    ...(amr !== undefined && { amr }),
  };
}

/** Actions of clients whose user can be unknown. */
type DeniedAction = 'auth.token_exchanged' | 'auth.identity_asserted' | 'auth.assertion_redeemed';

/** Records that an authenticated client was rejected, with the reason, which the response omits. */
export function noteDenied(
  notes: Notes,
  { tenant, from }: Pick<TokenRequest, 'tenant' | 'from'>,
  { id }: LoadedClient,
  action: DeniedAction,
  { code, options }: AppError,
): void {
  const reason = typeof options.internal === 'string' ? { reason: options.internal } : {};
  notes.note(tenant.id, anonymous(from), {
    action,
    target: { kind: 'client', id },
    outcome: 'denied',
    details: { code, ...reason },
  });
}
