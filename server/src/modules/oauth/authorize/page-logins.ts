import type { SeeOther } from '../../../platform/http/replies.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type AuthorizationRequest, PLAIN_REQUEST } from './authorization-request.ts';
import type { Interactions } from './interaction.ts';
import { type InteractionFlow, SERVICE_PAGES } from './interaction.ts';

interface PageLogin {
  /** The path at the issuer to which the browser returns. */
  readonly returnTo: string;
  readonly requirements?: Partial<Pick<AuthorizationRequest, 'maxAge' | 'acrValues' | 'prompts'>>;
  /** A login flow that was already started for the page. */
  readonly loginFlow?: InteractionFlow;
}

/** Logins for pages of the service, such as the account page. */
export class PageLogins {
  readonly #interactions: Interactions;

  constructor(interactions: Interactions) {
    this.#interactions = interactions;
  }

  /** Redirects the browser to the login page. Only this browser receives the result. */
  start(
    tenant: Tenant,
    flowCookie: string | undefined,
    { returnTo, requirements, loginFlow }: PageLogin,
  ): Promise<SeeOther<'flow'>> {
    const request: AuthorizationRequest = {
      clientId: SERVICE_PAGES.id,
      redirectUri: new URL(returnTo, tenant.issuer).href,
      scopes: ['openid'],
      ...PLAIN_REQUEST,
      ...requirements,
    };
    const interaction = { request, done: {}, ...(loginFlow && { flow: loginFlow }) };
    return this.#interactions.start(tenant, flowCookie, interaction);
  }
}
