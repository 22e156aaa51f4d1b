import type { BodyOf } from '@keywright/contract/route';
import type { createClient } from '@keywright/contract/routes/clients';
import type { ClientFields } from './fields.ts';
import { usualAuthentication } from './rules.ts';

/** Of a client that says nothing of scopes. */
export const USUAL_SCOPES: readonly string[] = ['openid', 'profile', 'email'];

/** A client as it was asked for, with defaults for the rest: under the profile fapi2 those that it demands. */
export function fieldsOf(
  { kind, token_endpoint_auth_method: authentication, ...asked }: BodyOf<typeof createClient>,
  profile: ClientFields['profile'],
): ClientFields {
  const isStrict = profile === 'fapi2';
  return {
    first_party: false,
    post_logout_redirect_uris: [],
    initiate_login_uri: null,
    backchannel_logout_uri: null,
    backchannel_logout_session_required: false,
    require_pushed_authorization_requests: false,
    grant_types: ['authorization_code'],
    scopes: [...USUAL_SCOPES],
    jwks: null,
    jwks_uri: null,
    id_token_signed_response_alg: isStrict ? 'ES256' : 'RS256',
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
    require_pkce: null,
    dpop_bound_access_tokens: false,
    require_signed_request_object: false,
    profile: 'none',
    authorization_details_types: [],
    refresh_token_policy: isStrict ? 'fixed' : 'rotate',
    identity_assertions: { audiences: [], providers: [] },
    shared_signals: 'none',
    in_app_login: false,
    is_active: true,
    ...asked,
    kind,
    token_endpoint_auth_method: authentication ?? usualAuthentication(kind, profile),
  };
}
