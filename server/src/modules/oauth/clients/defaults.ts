import type { BodyOf } from '@keywright/contract/route';
import type { createClient } from '@keywright/contract/routes/clients';
import { type ClientFields, usualAuthentication } from './rules.ts';

/** Of a client that says nothing of scopes. */
export const USUAL_SCOPES: readonly string[] = ['openid', 'profile', 'email'];

/** A client as it was asked for, with defaults for the rest. */
export function fieldsOf({
  kind,
  token_endpoint_auth_method: authentication = usualAuthentication(kind),
  ...asked
}: BodyOf<typeof createClient>): ClientFields {
  return {
    first_party: false,
    post_logout_redirect_uris: [],
    backchannel_logout_uri: null,
    backchannel_logout_session_required: false,
    require_pushed_authorization_requests: false,
    grant_types: ['authorization_code'],
    scopes: [...USUAL_SCOPES],
    jwks: null,
    jwks_uri: null,
    id_token_signed_response_alg: 'RS256',
    userinfo_signed_response_alg: null,
    subject_type: 'public',
    sector_identifier_uri: null,
    id_token_claims: true,
    client_uri: null,
    logo_uri: null,
    policy_uri: null,
    tos_uri: null,
    contacts: [],
    default_max_age: null,
    require_pkce: false,
    dpop_bound_access_tokens: false,
    require_signed_request_object: false,
    is_active: true,
    ...asked,
    kind,
    token_endpoint_auth_method: authentication,
  };
}
