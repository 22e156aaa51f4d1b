import type { OAuthClientId } from '@keywright/contract/ids';

import type { Clock } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import { SeeOther } from '../../../platform/http/replies.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { KnownClient } from '../clients/index.ts';
import { continuePath, type Interactions, type OwnFlow } from './interaction.ts';
import { type AuthorizationRequest, PLAIN_REQUEST } from './authorization-request.ts';

/** What the pages need to know about a client. */
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

/** Stands for a client in logins for the service's own pages. No client has this ID, so no request can name it. */
export const OWN_PAGES: ShownClient = {
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

export function isOfOwnPages({ clientId }: Pick<AuthorizationRequest, 'clientId'>): boolean {
  return clientId === OWN_PAGES.id;
}

/** How a page of the service requests a login. Only the browser gets its result. */
export type BeginOwnLogin = (
  tenant: Tenant,
  asked: {
    readonly flow: string | undefined;
    /** Where the browser returns to, at the issuer. */
    readonly returnTo: string;
    /** What the login must be. */
    readonly demand?: Partial<Pick<AuthorizationRequest, 'maxAge' | 'acrValues' | 'prompts'>>;
    /** A login that was started for it. */
    readonly begun?: OwnFlow;
  },
) => Promise<SeeOther<'flow'>>;

export function createBeginOwnLogin(interactions: Interactions, clock: Clock): BeginOwnLogin {
  return async (tenant, { flow: known, returnTo, demand, begun }) => {
    const flow = known ?? randomId();
    const request: AuthorizationRequest = {
      clientId: OWN_PAGES.id,
      redirectUri: new URL(returnTo, tenant.issuer).href,
      scopes: ['openid'],
      ...PLAIN_REQUEST,
      ...demand,
    };
    const interaction = { request, done: {}, ...(begun && { flow: begun }) };
    const sealed = await interactions.seal(tenant.id, flow, interaction, clock.now());
    const added = known === undefined ? [{ name: 'flow', value: flow } as const] : [];
    return new SeeOther(continuePath(tenant, sealed), added);
  };
}
