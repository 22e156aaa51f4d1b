import type { OAuthClientId } from '@keywright/contract/ids';
import type { SeeOther } from '../../../platform/http/replies.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { KnownClient } from '../clients/index.ts';
import { type AuthorizationRequest, PLAIN_REQUEST } from './authorization-request.ts';
import type { InteractionFlow, Interactions } from './interaction.ts';

/** The fields of a client that pages show, or that decide which page is shown. */
export type ShownClient = Pick<
  KnownClient,
  | 'id'
  | 'name'
  | 'kind'
  | 'first_party'
  | 'created_by'
  | 'version'
  | 'policy_uri'
  | 'tos_uri'
  | 'contacts'
  | 'authorization_details_types'
  | 'token_endpoint_auth_method'
>;

/** Stands for a client in logins for pages of the service. No client has this ID, so no request can name it. */
export const SERVICE_PAGES: ShownClient = {
  id: 'own_pages' as OAuthClientId,
  name: 'your account',
  kind: 'web',
  first_party: true,
  created_by: 'admin',
  version: 0,
  policy_uri: null,
  tos_uri: null,
  contacts: [],
  authorization_details_types: [],
  // The response goes to a page of the service, which no one else controls.
  token_endpoint_auth_method: 'private_key_jwt',
};

export function isForServicePages({ clientId }: Pick<AuthorizationRequest, 'clientId'>): boolean {
  return clientId === SERVICE_PAGES.id;
}

interface PageLogin {
  /** The path to which the browser returns, at the issuer. */
  readonly returnTo: string;
  readonly requirements?: Partial<Pick<AuthorizationRequest, 'maxAge' | 'acrValues' | 'prompts'>>;
  /** A login flow that was started for the page. */
  readonly loginFlow?: InteractionFlow;
}

/** Logins for pages of the service, such as the account page. */
export class PageLogins {
  readonly #interactions: Interactions;

  constructor(interactions: Interactions) {
    this.#interactions = interactions;
  }

  /** Redirects the browser to the login page. Only this browser gets the result. */
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
