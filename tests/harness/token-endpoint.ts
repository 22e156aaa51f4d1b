import type { OAuthErrorBody } from '@keywright/contract/oauth-error';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { type Answer, expectStatus } from './http.ts';
import type { RequestToNode, TestTenant } from './tenant.ts';

export type TokenParameters = Readonly<Record<string, string>>;
type TokenEndpointAnswer = Answer<ClientTokenAnswer & OAuthErrorBody>;

/** Sends a form to the token endpoint, as OAuth clients do. */
export function postToken(
  tenant: TestTenant,
  parameters: TokenParameters,
  options: RequestToNode = {},
): Promise<TokenEndpointAnswer> {
  return tenant.request('POST', '/auth/token', {
    rawBody: new URLSearchParams(parameters).toString(),
    contentType: 'application/x-www-form-urlencoded',
    ...options,
  });
}

/** An access token. @throws if the request is rejected */
export async function getToken(tenant: TestTenant, parameters: TokenParameters): Promise<string> {
  return expectStatus(200, await postToken(tenant, parameters)).access_token;
}

/** What an error of the token endpoint says: `400 invalid_scope SCOPE_INVALID`. */
export function oauthError({ status, body }: TokenEndpointAnswer): string {
  return `${status} ${body.error} ${body.code}`;
}
