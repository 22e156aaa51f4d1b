import { AppError, type ErrorCode, type Fail } from '@keywright/contract/errors';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { BrowserLogin, BrowserLogins } from '../../tokens/sessions/index.ts';
import { type Clients, redirectOriginOf } from '../clients/index.ts';
import type { AuthorizationCodes, PushedRequests } from '../codes/index.ts';
import { grantConsent } from '../consents/index.ts';
import type { AuthorizationContext } from './authorization-context.ts';
import { scopesNotConsented } from './authorization-decision.ts';
import type { AuthorizationResponse } from './authorization-response.ts';
import { allScopes, type ScopesByTarget } from './request-scopes.ts';

type Consent = NonNullable<Awaited<ReturnType<typeof grantConsent>>>;

const USED_UP: AuthorizationResponse = {
  error: 'invalid_request_uri',
  description: 'The pushed request was answered before, or the login took too long.',
};

const TOO_MANY_CLIENTS =
  'No further application can be used here: there are as many as there may be.';

const failTooManyClients: Fail<ErrorCode> = (internal) => {
  throw new AppError('REQUEST_INVALID', { detail: TOO_MANY_CLIENTS, internal });
};

/** Records the grants of users to clients, and issues codes for them (RFC 6749 §1.3.1). */
export class AuthorizationGrants {
  readonly #gate: Gate;
  readonly #clients: Clients;
  readonly #browserLogins: BrowserLogins;
  readonly #codes: AuthorizationCodes;
  readonly #pushedRequests: PushedRequests;

  constructor(
    gate: Gate,
    clients: Clients,
    browserLogins: BrowserLogins,
    codes: AuthorizationCodes,
    pushedRequests: PushedRequests,
  ) {
    this.#gate = gate;
    this.#clients = clients;
    this.#browserLogins = browserLogins;
    this.#codes = codes;
    this.#pushedRequests = pushedRequests;
  }

  /** Issues a code for a granted request. */
  async issueCode(
    context: AuthorizationContext,
    login: BrowserLogin,
    from: Origin,
  ): Promise<AuthorizationResponse> {
    const { tenant, interaction, client, now } = context;
    const { redirectUri, challenge, nonce, jkt, claims, targets, details, pushed, inApp } =
      interaction.request;
    if (pushed && !(await this.#pushedRequests.use(tenant.id, pushed))) return USED_UP;
    const code = {
      clientId: client.id,
      ...(await this.grant(context, login, from)),
      redirectUri: inApp ? undefined : redirectUri,
      challenge,
      nonce,
      jkt,
      targets: targets.length > 0 ? targets : undefined,
      details,
      claims,
    };
    return { code: await this.#codes.issue(tenant.id, code, now) };
  }

  /** Records what a granted request adds to the consent. First-party clients get it without a question to the user. */
  async grant(context: AuthorizationContext, login: BrowserLogin, from: Origin) {
    const { tenant, client, consent: earlier, decision, interaction, now } = context;
    if (decision.kind !== 'granted') throw new Error('The request is not granted.');
    // If a page asked the user, the consent already covers everything.
    const hasUnaskedDetails = client.first_party && interaction.request.details !== undefined;
    const isCovered = scopesNotConsented(earlier, decision) === undefined && !hasUnaskedDetails;
    const consent = isCovered
      ? login.consent
      : await this.#addToConsent(context, login, decision, undefined, from);
    if (!consent) throw new AppError('REQUEST_INVALID');
    this.#browserLogins.noteUse(tenant, login, now);
    const { sessionId, userId, workspaceId } = login;
    return {
      userId,
      workspaceId,
      loginId: sessionId,
      consent: { id: consent.id, version: consent.version },
      scopes: allScopes(decision),
    };
  }

  /**
   * Records that the user allowed the scopes on the consent page.
   * @param granted the scopes on the page
   */
  async consent(
    context: AuthorizationContext,
    login: BrowserLogin,
    granted: ScopesByTarget,
    from: Origin,
  ): Promise<void> {
    const { device, redirectUri } = context.interaction.request;
    const redirectOrigin = device ? undefined : redirectOriginOf(redirectUri);
    const consent = await this.#addToConsent(context, login, granted, redirectOrigin, from);
    if (!consent) throw new AppError('REQUEST_INVALID');
  }

  /** @returns undefined if the client was deleted in the meantime */
  #addToConsent(
    { tenant, client, interaction }: AuthorizationContext,
    { userId, sessionId }: BrowserLogin,
    { scopes, at }: ScopesByTarget,
    redirectOrigin: string | undefined,
    from: Origin,
  ): Promise<Consent | undefined> {
    const by = { kind: 'user', subject: userId, sessionId, from } as const;
    const grant = {
      userId,
      clientId: client.id,
      scopes,
      at: at.map((target) => ({ resourceId: target.resource.id, scopes: target.scopes })),
      details: interaction.request.details,
      redirectOrigin,
    };
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      // A client that is known only by its metadata document is stored with its first consent.
      await this.#clients.keep(tx, by, tenant, client.id, failTooManyClients);
      return grantConsent(tx, by, grant);
    });
  }
}
