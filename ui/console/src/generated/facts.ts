// Made from the contract by `npm run generate`.

import { fieldsOf } from '../api/field-facts.ts';

export const userCreate = fieldsOf('user', [
  {"name":"identifier","kind":"text","required":true,"minLength":3,"maxLength":254,"example":"ada@example.com"},
  {"name":"password","kind":"secret","required":true,"maxLength":1024},
  {"name":"name","kind":"text","nullable":true,"maxLength":128,"example":"Ada Lovelace"},
  {"name":"picture","kind":"text","nullable":true,"maxLength":2048,"pattern":"^https?:\\/\\/[\\x21-\\x7e]+$","example":"https://cdn.example.com/ada.png"},
  {"name":"roles","kind":"list"},
]);

export const invitationCreate = fieldsOf('invitation', [
  {"name":"identifier","kind":"text","required":true,"minLength":3,"maxLength":254,"example":"ada@example.com"},
  {"name":"name","kind":"text","nullable":true,"maxLength":128,"example":"Ada Lovelace"},
  {"name":"client_id","kind":"text","nullable":true,"pattern":"^(client_[0-7][0-9a-hjkmnp-tv-z]{25}|https:\\/\\/[!$-;=A-Z\\[\\]^-~]{3,504})$"},
  {"name":"roles","kind":"list"},
  {"name":"workspaces","kind":"list"},
  {"name":"expires_in_days","kind":"days","min":1,"max":30,"example":7},
  {"name":"locale","kind":"text","pattern":"^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$","example":"de-CH"},
]);

export const userUpdate = fieldsOf('user', [
  {"name":"name","kind":"text","nullable":true,"maxLength":128,"example":"Ada Lovelace"},
  {"name":"picture","kind":"text","nullable":true,"maxLength":2048,"pattern":"^https?:\\/\\/[\\x21-\\x7e]+$","example":"https://cdn.example.com/ada.png"},
  {"name":"identifiers","kind":"json"},
  {"name":"password","kind":"secret","maxLength":1024},
  {"name":"roles","kind":"list"},
  {"name":"workspaces","kind":"list"},
  {"name":"metadata","kind":"json"},
  {"name":"user_metadata","kind":"json"},
]);

export const workspaceCreate = fieldsOf('workspace', [
  {"name":"name","kind":"text","required":true,"maxLength":128,"example":"Research"},
  {"name":"slug","kind":"text","pattern":"^[a-z0-9\\-]{1,48}$","example":"acme"},
]);

export const workspaceUpdate = fieldsOf('workspace', [
  {"name":"name","kind":"text","maxLength":128,"example":"Research"},
  {"name":"is_active","kind":"boolean"},
]);

export const roleCreate = fieldsOf('role', [
  {"name":"name","kind":"text","required":true,"pattern":"^[a-z][a-z0-9_\\-]{0,63}$","example":"reader"},
  {"name":"description","kind":"lines","maxLength":512,"example":"Reads users and sessions"},
  {"name":"scopes","kind":"scopes","required":true},
]);

export const roleUpdate = fieldsOf('role', [
  {"name":"description","kind":"lines","maxLength":512,"example":"Reads users and sessions"},
  {"name":"scopes","kind":"scopes"},
]);

export const agentCreate = fieldsOf('agent', [
  {"name":"name","kind":"text","required":true,"maxLength":128,"example":"Invoice importer"},
  {"name":"description","kind":"lines","maxLength":512,"example":"Reads the users to bill them."},
  {"name":"scopes","kind":"scopes"},
  {"name":"workspace_id","kind":"text","pattern":"^ws_[a-z0-9\\-]{1,48}$","example":"ws_default"},
  {"name":"owner_id","kind":"text","pattern":"^user:[0-7][0-9a-hjkmnp-tv-z]{25}$","example":"user:01m817qnm0e599bza8yqh63kxq"},
  {"name":"jwks","kind":"json"},
  {"name":"trusts","kind":"json"},
]);

export const agentUpdate = fieldsOf('agent', [
  {"name":"name","kind":"text","maxLength":128,"example":"Invoice importer"},
  {"name":"description","kind":"lines","maxLength":512,"example":"Reads the users to bill them."},
  {"name":"scopes","kind":"scopes"},
  {"name":"is_active","kind":"boolean"},
  {"name":"workspace_id","kind":"text","pattern":"^ws_[a-z0-9\\-]{1,48}$","example":"ws_default"},
  {"name":"owner_id","kind":"text","pattern":"^user:[0-7][0-9a-hjkmnp-tv-z]{25}$","example":"user:01m817qnm0e599bza8yqh63kxq"},
  {"name":"jwks","kind":"json","nullable":true},
  {"name":"trusts","kind":"json"},
]);

export const apiKeyCreate = fieldsOf('apiKey', [
  {"name":"name","kind":"text","required":true,"maxLength":128,"example":"importer, production"},
  {"name":"expires_in_days","kind":"days","min":1,"max":365,"example":90},
  {"name":"scopes","kind":"scopes"},
  {"name":"allowed_ips","kind":"list","minLength":2,"maxLength":43},
]);

export const clientCreate = fieldsOf('client', [
  {"name":"name","kind":"text","required":true,"maxLength":128,"example":"Acme Invoices"},
  {"name":"first_party","kind":"boolean"},
  {"name":"redirect_uris","kind":"list","required":true,"minLength":5,"maxLength":2048},
  {"name":"post_logout_redirect_uris","kind":"list","minLength":5,"maxLength":2048},
  {"name":"initiate_login_uri","kind":"text","nullable":true,"minLength":5,"maxLength":2048,"pattern":"^[\\x21-\\x7e]+$"},
  {"name":"backchannel_logout_uri","kind":"text","nullable":true,"minLength":5,"maxLength":2048,"pattern":"^[\\x21-\\x7e]+$"},
  {"name":"backchannel_logout_session_required","kind":"boolean"},
  {"name":"require_pushed_authorization_requests","kind":"boolean"},
  {"name":"grant_types","kind":"choices","choices":["authorization_code","refresh_token","client_credentials","urn:ietf:params:oauth:grant-type:device_code","urn:ietf:params:oauth:grant-type:token-exchange","urn:ietf:params:oauth:grant-type:jwt-bearer"]},
  {"name":"scopes","kind":"list"},
  {"name":"jwks","kind":"json","nullable":true},
  {"name":"jwks_uri","kind":"text","nullable":true,"minLength":5,"maxLength":2048,"pattern":"^[\\x21-\\x7e]+$"},
  {"name":"id_token_signed_response_alg","kind":"choice","choices":["RS256","ES256","EdDSA"],"example":"RS256"},
  {"name":"userinfo_signed_response_alg","kind":"choice","nullable":true,"choices":["RS256","ES256","EdDSA"]},
  {"name":"subject_type","kind":"choice","choices":["public","pairwise"],"example":"public"},
  {"name":"sector_identifier_uri","kind":"text","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"id_token_claims","kind":"boolean"},
  {"name":"client_uri","kind":"text","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"policy_uri","kind":"text","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"tos_uri","kind":"text","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"contacts","kind":"list","maxLength":254},
  {"name":"default_max_age","kind":"duration","nullable":true,"min":0,"max":1000000000},
  {"name":"require_pkce","kind":"boolean","nullable":true},
  {"name":"dpop_bound_access_tokens","kind":"boolean"},
  {"name":"require_signed_request_object","kind":"boolean"},
  {"name":"profile","kind":"choice","choices":["none","fapi2"],"example":"none"},
  {"name":"refresh_token_policy","kind":"choice","choices":["rotate","fixed"],"example":"rotate"},
  {"name":"identity_assertions","kind":"json"},
  {"name":"shared_signals","kind":"choice","choices":["none","own_users","all_users"],"example":"none"},
  {"name":"authorization_details_types","kind":"list"},
  {"name":"in_app_login","kind":"boolean"},
  {"name":"kind","kind":"choice","required":true,"choices":["web","spa","native"],"example":"web"},
  {"name":"token_endpoint_auth_method","kind":"choice","choices":["client_secret_basic","client_secret_post","private_key_jwt","none"],"example":"client_secret_basic"},
]);

export const clientUpdate = fieldsOf('client', [
  {"name":"name","kind":"text","maxLength":128,"example":"Acme Invoices"},
  {"name":"first_party","kind":"boolean"},
  {"name":"redirect_uris","kind":"list","minLength":5,"maxLength":2048},
  {"name":"post_logout_redirect_uris","kind":"list","minLength":5,"maxLength":2048},
  {"name":"initiate_login_uri","kind":"text","nullable":true,"minLength":5,"maxLength":2048,"pattern":"^[\\x21-\\x7e]+$"},
  {"name":"backchannel_logout_uri","kind":"text","nullable":true,"minLength":5,"maxLength":2048,"pattern":"^[\\x21-\\x7e]+$"},
  {"name":"backchannel_logout_session_required","kind":"boolean"},
  {"name":"require_pushed_authorization_requests","kind":"boolean"},
  {"name":"grant_types","kind":"choices","choices":["authorization_code","refresh_token","client_credentials","urn:ietf:params:oauth:grant-type:device_code","urn:ietf:params:oauth:grant-type:token-exchange","urn:ietf:params:oauth:grant-type:jwt-bearer"]},
  {"name":"scopes","kind":"list"},
  {"name":"jwks","kind":"json","nullable":true},
  {"name":"jwks_uri","kind":"text","nullable":true,"minLength":5,"maxLength":2048,"pattern":"^[\\x21-\\x7e]+$"},
  {"name":"id_token_signed_response_alg","kind":"choice","choices":["RS256","ES256","EdDSA"],"example":"RS256"},
  {"name":"userinfo_signed_response_alg","kind":"choice","nullable":true,"choices":["RS256","ES256","EdDSA"]},
  {"name":"subject_type","kind":"choice","choices":["public","pairwise"],"example":"public"},
  {"name":"sector_identifier_uri","kind":"text","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"id_token_claims","kind":"boolean"},
  {"name":"client_uri","kind":"text","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"policy_uri","kind":"text","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"tos_uri","kind":"text","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"contacts","kind":"list","maxLength":254},
  {"name":"default_max_age","kind":"duration","nullable":true,"min":0,"max":1000000000},
  {"name":"require_pkce","kind":"boolean","nullable":true},
  {"name":"dpop_bound_access_tokens","kind":"boolean"},
  {"name":"require_signed_request_object","kind":"boolean"},
  {"name":"profile","kind":"choice","choices":["none","fapi2"],"example":"none"},
  {"name":"refresh_token_policy","kind":"choice","choices":["rotate","fixed"],"example":"rotate"},
  {"name":"identity_assertions","kind":"json"},
  {"name":"shared_signals","kind":"choice","choices":["none","own_users","all_users"],"example":"none"},
  {"name":"authorization_details_types","kind":"list"},
  {"name":"in_app_login","kind":"boolean"},
  {"name":"is_active","kind":"boolean"},
]);

export const webhookCreate = fieldsOf('webhook', [
  {"name":"url","kind":"text","required":true,"minLength":8,"maxLength":2048,"example":"https://hooks.example.com/keywright"},
  {"name":"events","kind":"choices","required":true,"choices":["user.created","user.updated","user.reclaimed","password.recovered","identifier.verified","user.invited","invitation.accepted","user.deleted","user.login","user.logout","session.created","session.revoked","role.assigned","workspace.created","role.unassigned","role.created","role.updated","role.deleted","workspace.updated","workspace.deleted","workspace.member_added","workspace.member_removed","tenant.updated","key.rotated","key.retired","agent.created","agent.updated","agent.deleted","apikey.created","apikey.rotated","apikey.revoked","delegation.created","delegation.revoked","consent.granted","consent.revoked","factor.added","factor.removed","factor.suspicious","identity.linked","identity.unlinked","webhook.created","webhook.updated","webhook.deleted","webhook.disabled","message.failed","messaging.failing","sms.paused","webhook.test"]},
  {"name":"secret","kind":"secret","maxLength":255},
]);

export const webhookUpdate = fieldsOf('webhook', [
  {"name":"url","kind":"text","minLength":8,"maxLength":2048,"example":"https://hooks.example.com/keywright"},
  {"name":"secret","kind":"secret","maxLength":255},
  {"name":"events","kind":"choices","choices":["user.created","user.updated","user.reclaimed","password.recovered","identifier.verified","user.invited","invitation.accepted","user.deleted","user.login","user.logout","session.created","session.revoked","role.assigned","workspace.created","role.unassigned","role.created","role.updated","role.deleted","workspace.updated","workspace.deleted","workspace.member_added","workspace.member_removed","tenant.updated","key.rotated","key.retired","agent.created","agent.updated","agent.deleted","apikey.created","apikey.rotated","apikey.revoked","delegation.created","delegation.revoked","consent.granted","consent.revoked","factor.added","factor.removed","factor.suspicious","identity.linked","identity.unlinked","webhook.created","webhook.updated","webhook.deleted","webhook.disabled","message.failed","messaging.failing","sms.paused","webhook.test"]},
  {"name":"is_active","kind":"boolean"},
]);

export const providerCreate = fieldsOf('provider', [
  {"name":"name","kind":"text","required":true,"maxLength":100,"example":"Google"},
  {"name":"issuer","kind":"text","minLength":8,"maxLength":512,"example":"https://accounts.google.com"},
  {"name":"client_id","kind":"text","required":true,"maxLength":512,"pattern":"^[\\x21-\\x7e]+$","example":"keywright"},
  {"name":"client_secret","kind":"secret","maxLength":1024,"isLong":true},
  {"name":"scopes","kind":"list","maxLength":100},
  {"name":"domains","kind":"list","maxLength":253},
  {"name":"link","kind":"choice","choices":["ask","auto","never"]},
  {"name":"trust_mfa","kind":"boolean"},
  {"name":"allowed_tenants","kind":"list"},
  {"name":"team_id","kind":"text","pattern":"^[A-Z0-9]{10}$","example":"8K2M4P6Q9R"},
  {"name":"key_id","kind":"text","pattern":"^[A-Z0-9]{10}$","example":"ABC123DEFG"},
  {"name":"authorization_endpoint","kind":"text","minLength":8,"maxLength":512,"example":"https://id.example.com/oauth/authorize"},
  {"name":"token_endpoint","kind":"text","minLength":8,"maxLength":512,"example":"https://id.example.com/oauth/token"},
  {"name":"userinfo_endpoint","kind":"text","minLength":8,"maxLength":512,"example":"https://id.example.com/api/user"},
  {"name":"subject_claim","kind":"text","maxLength":64,"pattern":"^[\\w.\\-]+$","example":"id"},
]);

export const providerUpdate = fieldsOf('provider', [
  {"name":"name","kind":"text","maxLength":100,"example":"Google"},
  {"name":"issuer","kind":"text","minLength":8,"maxLength":512,"example":"https://accounts.google.com"},
  {"name":"client_id","kind":"text","maxLength":512,"pattern":"^[\\x21-\\x7e]+$","example":"keywright"},
  {"name":"client_secret","kind":"secret","nullable":true,"maxLength":1024,"isLong":true},
  {"name":"scopes","kind":"list","maxLength":100},
  {"name":"domains","kind":"list","maxLength":253},
  {"name":"link","kind":"choice","choices":["ask","auto","never"]},
  {"name":"trust_mfa","kind":"boolean"},
  {"name":"allowed_tenants","kind":"list"},
  {"name":"team_id","kind":"text","pattern":"^[A-Z0-9]{10}$","example":"8K2M4P6Q9R"},
  {"name":"key_id","kind":"text","pattern":"^[A-Z0-9]{10}$","example":"ABC123DEFG"},
  {"name":"authorization_endpoint","kind":"text","minLength":8,"maxLength":512,"example":"https://id.example.com/oauth/authorize"},
  {"name":"token_endpoint","kind":"text","minLength":8,"maxLength":512,"example":"https://id.example.com/oauth/token"},
  {"name":"userinfo_endpoint","kind":"text","minLength":8,"maxLength":512,"example":"https://id.example.com/api/user"},
  {"name":"subject_claim","kind":"text","maxLength":64,"pattern":"^[\\w.\\-]+$","example":"id"},
  {"name":"skip_test","kind":"boolean"},
]);

export const resourceCreate = fieldsOf('resource', [
  {"name":"name","kind":"text","required":true,"maxLength":128,"example":"Acme Files"},
  {"name":"scopes","kind":"json"},
  {"name":"token_ttl","kind":"duration","nullable":true,"min":60,"max":86400},
  {"name":"access_token_signing_alg","kind":"choice","choices":["EdDSA","RS256","ES256"],"example":"EdDSA"},
  {"name":"access_token_typ","kind":"choice","choices":["at+jwt","JWT"],"example":"at+jwt"},
  {"name":"dpop_required","kind":"boolean"},
  {"name":"served_by","kind":"json"},
  {"name":"authorization_details_types","kind":"json"},
  {"name":"uri","kind":"text","required":true,"maxLength":512,"pattern":"^[a-z][a-z0-9+.\\-]{0,31}:[\\x21\\x22\\x24-\\x7e]+$","example":"https://files.example.com/mcp"},
]);

export const resourceUpdate = fieldsOf('resource', [
  {"name":"name","kind":"text","maxLength":128,"example":"Acme Files"},
  {"name":"scopes","kind":"json"},
  {"name":"token_ttl","kind":"duration","nullable":true,"min":60,"max":86400},
  {"name":"access_token_signing_alg","kind":"choice","choices":["EdDSA","RS256","ES256"],"example":"EdDSA"},
  {"name":"access_token_typ","kind":"choice","choices":["at+jwt","JWT"],"example":"at+jwt"},
  {"name":"dpop_required","kind":"boolean"},
  {"name":"served_by","kind":"json"},
  {"name":"authorization_details_types","kind":"json"},
]);

export const registrationTokenCreate = fieldsOf('registrationToken', [
  {"name":"name","kind":"text","required":true,"maxLength":128,"example":"Partners, spring"},
  {"name":"uses","kind":"number","min":1,"max":10000},
  {"name":"ttl","kind":"duration","min":60,"max":31536000},
  {"name":"scopes","kind":"list","nullable":true},
  {"name":"resources","kind":"list","nullable":true,"maxLength":512},
  {"name":"redirect_hosts","kind":"list","nullable":true,"maxLength":253},
]);

export const tenantCreate = fieldsOf('tenant', [
  {"name":"name","kind":"text","required":true,"maxLength":128,"example":"Acme Ltd"},
  {"name":"slug","kind":"text","pattern":"^[a-z0-9\\-]{1,48}$","example":"acme"},
  {"name":"domains","kind":"list","maxLength":300},
]);

export const tenantUpdate = fieldsOf('tenant', [
  {"name":"name","kind":"text","maxLength":128,"example":"Acme Ltd"},
  {"name":"issuer","kind":"text","nullable":true,"maxLength":512},
]);

export const tenantConfig = fieldsOf('config', [
  {"name":"allowed_login_methods","kind":"choices","scope":"write:logins","nullable":true,"choices":["password","magic_link","oauth","passkey"],"byDefault":["password","magic_link","oauth","passkey"]},
  {"name":"magic_link_url","kind":"text","scope":"write:logins","nullable":true,"maxLength":512},
  {"name":"magic_link_registration","kind":"boolean","scope":"write:logins","nullable":true,"byDefault":true},
  {"name":"return_urls","kind":"list","scope":"write:logins","nullable":true,"maxLength":512,"byDefault":[]},
  {"name":"passkey_rp_id","kind":"text","scope":"write:logins","nullable":true,"maxLength":253,"pattern":"^([a-z0-9]([a-z0-9\\-]{0,61}[a-z0-9])?\\.)*[a-z0-9]([a-z0-9\\-]{0,61}[a-z0-9])?$"},
  {"name":"passkey_origins","kind":"list","scope":"write:logins","nullable":true,"maxLength":253,"byDefault":[]},
  {"name":"passkey_attestation","kind":"choice","scope":"write:logins","nullable":true,"choices":["none","direct"],"example":"none","byDefault":"none"},
  {"name":"passkey_aaguids","kind":"list","scope":"write:logins","nullable":true,"byDefault":[]},
  {"name":"require_mfa","kind":"boolean","scope":"write:logins","nullable":true,"byDefault":false},
  {"name":"require_mfa_role","kind":"text","scope":"write:logins","nullable":true,"pattern":"^[a-z][a-z0-9_\\-]{0,63}$"},
  {"name":"mfa_methods","kind":"choices","scope":"write:logins","nullable":true,"choices":["passkey","totp","sms","email"],"byDefault":["passkey","totp"]},
  {"name":"require_verified_identifier","kind":"boolean","scope":"write:logins","nullable":true,"byDefault":false},
  {"name":"step_up_max_age","kind":"duration","scope":"write:logins","nullable":true,"min":30,"max":86400,"byDefault":300},
  {"name":"registration_name","kind":"choice","scope":"write:logins","nullable":true,"choices":["off","optional","required"],"example":"optional","byDefault":"optional"},
  {"name":"allow_account_deletion","kind":"boolean","scope":"write:logins","nullable":true,"byDefault":false},
  {"name":"notify_new_device","kind":"boolean","scope":"write:logins","nullable":true,"byDefault":true},
  {"name":"password_min_length","kind":"number","scope":"write:logins","nullable":true,"min":8,"max":256,"byDefault":12},
  {"name":"password_require_special","kind":"boolean","scope":"write:logins","nullable":true,"byDefault":false},
  {"name":"import_expires_at","kind":"date","scope":"write:logins","nullable":true,"maxLength":24},
  {"name":"breached_passwords","kind":"choice","scope":"write:logins","nullable":true,"choices":["off","list","range","file"],"example":"list","byDefault":"list"},
  {"name":"breached_at_login","kind":"choice","scope":"write:logins","nullable":true,"choices":["require","notify","off"],"example":"notify","byDefault":"notify"},
  {"name":"session_timeout","kind":"duration","scope":"write:logins","nullable":true,"min":60,"max":86400,"byDefault":3600},
  {"name":"refresh_token_ttl","kind":"duration","scope":"write:logins","nullable":true,"min":300,"max":31536000,"byDefault":2592000},
  {"name":"refresh_token_absolute_ttl","kind":"duration","scope":"write:logins","nullable":true,"min":300,"max":31536000,"byDefault":7776000},
  {"name":"browser_session_idle_ttl","kind":"duration","scope":"write:logins","nullable":true,"min":300,"max":31536000,"byDefault":43200},
  {"name":"browser_session_ttl","kind":"duration","scope":"write:logins","nullable":true,"min":300,"max":31536000,"byDefault":604800},
  {"name":"console_idle_ttl","kind":"duration","scope":"write:logins","nullable":true,"min":300,"max":604800,"byDefault":1800},
  {"name":"console_session_ttl","kind":"duration","scope":"write:logins","nullable":true,"min":300,"max":604800,"byDefault":43200},
  {"name":"oauth_enabled","kind":"boolean","scope":"write:logins","nullable":true,"byDefault":true},
  {"name":"oauth_profile","kind":"choice","scope":"write:logins","nullable":true,"choices":["none","fapi2"],"example":"none","byDefault":"none"},
  {"name":"oauth_require_pkce","kind":"boolean","scope":"write:logins","nullable":true,"byDefault":false},
  {"name":"oauth_require_pushed_requests","kind":"boolean","scope":"write:logins","nullable":true,"byDefault":false},
  {"name":"oauth_dpop_nonces","kind":"boolean","scope":"write:logins","nullable":true,"byDefault":false},
  {"name":"oauth_registration","kind":"choice","scope":"write:logins","nullable":true,"choices":["off","token","open"],"example":"token","byDefault":"token"},
  {"name":"oauth_max_registered_clients","kind":"number","nullable":true,"min":1,"max":20000,"byDefault":1000},
  {"name":"oauth_metadata_documents","kind":"choice","scope":"write:logins","nullable":true,"choices":["off","listed","any"],"example":"listed","byDefault":"listed"},
  {"name":"oauth_client_domains","kind":"list","scope":"write:logins","nullable":true,"maxLength":253,"byDefault":[]},
  {"name":"oauth_consent","kind":"choice","scope":"write:logins","nullable":true,"choices":["once","always"],"example":"once","byDefault":"once"},
  {"name":"refresh_retry_window","kind":"duration","scope":"write:logins","nullable":true,"min":0,"max":60,"byDefault":30},
  {"name":"login_attempts_limit","kind":"number","nullable":true,"min":1,"max":10000,"byDefault":10},
  {"name":"login_attempts_window","kind":"duration","nullable":true,"min":1,"max":86400,"byDefault":300},
  {"name":"login_attempts_address_limit","kind":"number","nullable":true,"min":1,"max":100000},
  {"name":"registrations_limit","kind":"number","nullable":true,"min":1,"max":1000000,"byDefault":1000},
  {"name":"registrations_address_limit","kind":"number","nullable":true,"min":1,"max":1000000,"byDefault":20},
  {"name":"allow_registration","kind":"boolean","scope":"write:logins","nullable":true,"byDefault":true},
  {"name":"audience","kind":"text","scope":"write:logins","nullable":true,"maxLength":255},
  {"name":"allowed_origins","kind":"list","scope":"write:logins","nullable":true,"maxLength":253,"byDefault":[]},
  {"name":"locales","kind":"list","nullable":true,"byDefault":[]},
  {"name":"sms_countries","kind":"list","scope":"write:logins","nullable":true,"byDefault":[]},
  {"name":"sms_hourly_limit","kind":"number","nullable":true,"min":1,"max":100000,"byDefault":100},
  {"name":"sms_daily_limit","kind":"number","nullable":true,"min":1,"max":1000000,"byDefault":500},
  {"name":"sms_country_hourly_limit","kind":"number","nullable":true,"min":1,"max":100000,"byDefault":50},
  {"name":"custom_claims","kind":"json","scope":"write:logins","nullable":true,"byDefault":{}},
]);

export const tenantBranding = fieldsOf('branding', [
  {"name":"logo_url","kind":"text","nullable":true,"maxLength":2048,"example":"https://acme.example.com/logo.svg"},
  {"name":"logo_dark_url","kind":"text","nullable":true,"maxLength":2048,"example":"https://acme.example.com/logo-dark.svg"},
  {"name":"icon_url","kind":"text","nullable":true,"maxLength":2048,"example":"https://acme.example.com/icon.svg"},
  {"name":"background_url","kind":"text","nullable":true,"maxLength":2048,"example":"https://acme.example.com/hall.jpg"},
  {"name":"company_name","kind":"text","nullable":true,"maxLength":255,"example":"Acme Ltd"},
  {"name":"support_email","kind":"text","nullable":true,"maxLength":254,"example":"help@acme.example.com"},
  {"name":"terms_url","kind":"text","nullable":true,"maxLength":2048,"example":"https://acme.example.com/terms"},
  {"name":"privacy_url","kind":"text","nullable":true,"maxLength":2048,"example":"https://acme.example.com/privacy"},
  {"name":"primary_color","kind":"color","nullable":true,"pattern":"^#[0-9a-fA-F]{6}$","example":"#1d4ed8"},
  {"name":"secondary_color","kind":"color","nullable":true,"pattern":"^#[0-9a-fA-F]{6}$","example":"#f59e0b"},
  {"name":"color_scheme","kind":"choice","nullable":true,"choices":["auto","light","dark"]},
  {"name":"corner","kind":"number","nullable":true,"min":0,"max":16},
  {"name":"font","kind":"choice","nullable":true,"choices":["geist","inter","instrument-sans","dm-sans","figtree","manrope","source-serif","lora","system"]},
  {"name":"layout","kind":"choice","nullable":true,"choices":["card","plain","split-start","split-end"]},
  {"name":"background","kind":"choice","nullable":true,"choices":["none","color","gradient","image"]},
  {"name":"background_color","kind":"color","nullable":true,"pattern":"^#[0-9a-fA-F]{6}$","example":"#0b6e4f"},
  {"name":"logo_position","kind":"choice","nullable":true,"choices":["inside","above","corner"]},
  {"name":"logo_height","kind":"number","nullable":true,"min":24,"max":64},
  {"name":"heading_align","kind":"choice","nullable":true,"choices":["start","center"]},
  {"name":"provider_position","kind":"choice","nullable":true,"choices":["top","bottom"]},
  {"name":"provider_style","kind":"choice","nullable":true,"choices":["list","icons"]},
  {"name":"identifier_first","kind":"boolean","nullable":true},
]);

export const clientBranding = fieldsOf('branding', [
  {"name":"primary_color","kind":"color","nullable":true,"pattern":"^#[0-9a-fA-F]{6}$","example":"#1d4ed8"},
  {"name":"secondary_color","kind":"color","nullable":true,"pattern":"^#[0-9a-fA-F]{6}$","example":"#f59e0b"},
  {"name":"color_scheme","kind":"choice","nullable":true,"choices":["auto","light","dark"]},
  {"name":"corner","kind":"number","nullable":true,"min":0,"max":16},
  {"name":"font","kind":"choice","nullable":true,"choices":["geist","inter","instrument-sans","dm-sans","figtree","manrope","source-serif","lora","system"]},
  {"name":"layout","kind":"choice","nullable":true,"choices":["card","plain","split-start","split-end"]},
  {"name":"background","kind":"choice","nullable":true,"choices":["none","color","gradient","image"]},
  {"name":"background_color","kind":"color","nullable":true,"pattern":"^#[0-9a-fA-F]{6}$","example":"#0b6e4f"},
  {"name":"logo_position","kind":"choice","nullable":true,"choices":["inside","above","corner"]},
  {"name":"logo_height","kind":"number","nullable":true,"min":24,"max":64},
  {"name":"heading_align","kind":"choice","nullable":true,"choices":["start","center"]},
  {"name":"provider_position","kind":"choice","nullable":true,"choices":["top","bottom"]},
  {"name":"provider_style","kind":"choice","nullable":true,"choices":["list","icons"]},
  {"name":"identifier_first","kind":"boolean","nullable":true},
  {"name":"headline","kind":"text","nullable":true,"maxLength":255,"example":"Every robot, one sign-in."},
  {"name":"subline","kind":"text","nullable":true,"maxLength":255,"example":"Acme Robotics, Berlin"},
]);

export const tenantMail = fieldsOf('mail', [
  {"name":"smtp_host","kind":"text","nullable":true,"pattern":"^[A-Za-z0-9.:\\[\\]\\-]{1,253}$","example":"smtp.example.com"},
  {"name":"smtp_port","kind":"number","nullable":true,"min":1,"max":65535},
  {"name":"smtp_username","kind":"text","nullable":true,"maxLength":255,"example":"acme"},
  {"name":"smtp_password","kind":"secret","nullable":true,"maxLength":1024},
  {"name":"smtp_security","kind":"choice","nullable":true,"choices":["tls","starttls","none"]},
  {"name":"from_address","kind":"text","nullable":true,"maxLength":254,"example":"no-reply@acme.example.com"},
  {"name":"from_name","kind":"text","nullable":true,"maxLength":255,"example":"Acme Ltd"},
  {"name":"reply_to","kind":"text","nullable":true,"maxLength":254,"example":"help@acme.example.com"},
]);

export const tenantSms = fieldsOf('sms', [
  {"name":"provider","kind":"choice","nullable":true,"choices":["twilio","vonage","webhook"]},
  {"name":"account_sid","kind":"text","nullable":true,"maxLength":255,"example":"AC-example"},
  {"name":"auth_token","kind":"secret","nullable":true,"maxLength":1024},
  {"name":"from","kind":"text","nullable":true,"pattern":"^(\\+?[0-9]{3,15}|[A-Za-z0-9 ]{1,11}|MG[0-9a-f]{32})$","example":"+15005550006"},
  {"name":"url","kind":"text","nullable":true,"maxLength":2048,"example":"https://sms.acme.example.com/send"},
  {"name":"secret","kind":"secret","nullable":true,"maxLength":1024},
]);
