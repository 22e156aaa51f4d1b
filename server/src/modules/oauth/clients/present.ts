import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { ClientRow } from './store.ts';

export function presentClient(row: ClientRow): OAuthClientRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    name: row.name,
    kind: row.kind as OAuthClientRecord['kind'],
    first_party: row.first_party,
    token_endpoint_auth_method:
      row.token_endpoint_auth_method as OAuthClientRecord['token_endpoint_auth_method'],
    redirect_uris: row.redirect_uris,
    post_logout_redirect_uris: row.post_logout_redirect_uris,
    initiate_login_uri: row.initiate_login_uri,
    backchannel_logout_uri: row.backchannel_logout_uri,
    backchannel_logout_session_required: row.backchannel_logout_session_required,
    require_pushed_authorization_requests: row.require_pushed_authorization_requests,
    grant_types: row.grant_types as OAuthClientRecord['grant_types'],
    scopes: row.scopes,
    jwks: row.jwks as OAuthClientRecord['jwks'],
    jwks_uri: row.jwks_uri,
    id_token_signed_response_alg:
      row.id_token_signed_response_alg as OAuthClientRecord['id_token_signed_response_alg'],
    userinfo_signed_response_alg:
      row.userinfo_signed_response_alg as OAuthClientRecord['userinfo_signed_response_alg'],
    subject_type: row.subject_type as OAuthClientRecord['subject_type'],
    sector_identifier_uri: row.sector_identifier_uri,
    id_token_claims: row.id_token_claims,
    client_uri: row.client_uri,
    logo_uri: row.logo_uri,
    policy_uri: row.policy_uri,
    tos_uri: row.tos_uri,
    contacts: row.contacts,
    default_max_age: row.default_max_age,
    require_pkce: row.require_pkce,
    require_signed_request_object: row.require_signed_request_object,
    dpop_bound_access_tokens: row.dpop_bound_access_tokens,
    authorization_details_types: row.authorization_details_types,
    profile: row.profile as OAuthClientRecord['profile'],
    refresh_token_policy: row.refresh_token_policy as OAuthClientRecord['refresh_token_policy'],
    created_by: row.created_by as OAuthClientRecord['created_by'],
    identity_assertions:
      row.identity_assertions as unknown as OAuthClientRecord['identity_assertions'],
    shared_signals: row.shared_signals as OAuthClientRecord['shared_signals'],
    in_app_login: row.in_app_login,
    secrets: presentSecrets(row),
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

function presentSecrets({ tenant_id, secrets }: ClientRow): OAuthClientRecord['secrets'] {
  return secrets.map(({ id, created_at: at }) => {
    return { id, tenant_id, created_at: new Date(at).toISOString() };
  });
}
