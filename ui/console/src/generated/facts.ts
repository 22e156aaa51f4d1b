// Made from the contract by `npm run generate`.

import type { FieldFacts } from '../api/field-facts.ts';

type Facts = readonly FieldFacts[];

export const userCreate: Facts = [
  {"name":"identifier","kind":"text","hint":"An email address, or a phone number in E.164 format.","required":true,"minLength":3,"maxLength":254,"usual":"ada@example.com"},
  {"name":"password","kind":"secret","hint":"A password of at most 256 characters after NFKC normalization.","required":true,"maxLength":1024},
  {"name":"roles","kind":"list","hint":"Roles of the user."},
];

export const invitationCreate: Facts = [
  {"name":"identifier","kind":"text","hint":"Email address that the invitation is sent to.","required":true,"minLength":3,"maxLength":254,"usual":"ada@example.com"},
  {"name":"roles","kind":"list","hint":"Roles to assign. Default: member."},
  {"name":"workspaces","kind":"list","hint":"Workspaces to join, in addition to the default workspace."},
  {"name":"expires_in_days","kind":"number","hint":"Lifetime in days. Default: 7.","min":1,"max":30,"usual":7},
  {"name":"locale","kind":"text","hint":"A language tag, with script and region if needed (BCP 47).","pattern":"^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$","usual":"de-CH"},
];

export const userUpdate: Facts = [
  {"name":"identifiers","kind":"json","hint":"Identifiers in the form that GET returns. type and verified are optional. A known identifier keeps its verified, and a new one is not verified."},
  {"name":"password","kind":"secret","hint":"A password of at most 256 characters after NFKC normalization.","maxLength":1024},
  {"name":"roles","kind":"list","hint":"Roles of the user."},
  {"name":"workspaces","kind":"list","hint":"Replaces the workspaces that the user belongs to."},
  {"name":"is_active","kind":"boolean","hint":"Whether the user is active. Inactive users cannot log in."},
  {"name":"metadata","kind":"json","hint":"Free-form data about the user. Only administrators can write it. At most 16 KiB as JSON, 32 levels deep."},
  {"name":"user_metadata","kind":"json","hint":"Free-form data that users write themselves. At most 16 KiB as JSON, 32 levels deep."},
];

export const workspaceCreate: Facts = [
  {"name":"name","kind":"text","hint":"Display name, on a single line.","required":true,"maxLength":128,"usual":"Research"},
  {"name":"slug","kind":"text","hint":"The ID without its prefix. Default: derived from the name.","pattern":"^[a-z0-9\\-]{1,48}$","usual":"acme"},
];

export const workspaceUpdate: Facts = [
  {"name":"name","kind":"text","hint":"Display name, on a single line.","maxLength":128,"usual":"Research"},
  {"name":"is_active","kind":"boolean","hint":"Whether the workspace is active. Users cannot log in to an inactive workspace."},
];

export const roleCreate: Facts = [
  {"name":"name","kind":"text","hint":"Name of the role: at most 64 lower-case letters, digits, - and _.","required":true,"pattern":"^[a-z][a-z0-9_\\-]{0,63}$","usual":"reader"},
  {"name":"description","kind":"lines","hint":"Purpose of the record.","maxLength":512,"usual":"Reads users and sessions"},
  {"name":"scopes","kind":"scopes","hint":"Permissions of the role.","required":true},
];

export const roleUpdate: Facts = [
  {"name":"description","kind":"lines","hint":"Purpose of the record.","maxLength":512,"usual":"Reads users and sessions"},
  {"name":"scopes","kind":"scopes","hint":"Replaces the permissions of the role."},
];

export const agentCreate: Facts = [
  {"name":"name","kind":"text","hint":"Display name, on a single line.","required":true,"maxLength":128,"usual":"Invoice importer"},
  {"name":"description","kind":"lines","hint":"Purpose of the record.","maxLength":512,"usual":"Reads the users to bill them."},
  {"name":"scopes","kind":"scopes","hint":"Scopes of the agent. You can only assign scopes that you are allowed to grant."},
  {"name":"workspace_id","kind":"text","hint":"ID of a workspace: ws_<slug>.","pattern":"^ws_[a-z0-9\\-]{1,48}$","usual":"ws_default"},
  {"name":"owner_id","kind":"text","hint":"ID of a user: user:<id>.","pattern":"^user:[0-7][0-9a-hjkmnp-tv-z]{25}$","usual":"user:01m817qnm0e599bza8yqh63kxq"},
  {"name":"jwks","kind":"json","hint":"Public keys that verify assertions."},
  {"name":"trusts","kind":"json","hint":"External issuers whose tokens authenticate the agent. A token must match one entry. Each entry needs a subject or claims."},
];

export const agentUpdate: Facts = [
  {"name":"name","kind":"text","hint":"Display name, on a single line.","maxLength":128,"usual":"Invoice importer"},
  {"name":"description","kind":"lines","hint":"Purpose of the record.","maxLength":512,"usual":"Reads the users to bill them."},
  {"name":"scopes","kind":"scopes","hint":"Replaces the scopes of the agent."},
  {"name":"is_active","kind":"boolean","hint":"Whether the agent is active."},
  {"name":"workspace_id","kind":"text","hint":"ID of a workspace: ws_<slug>.","pattern":"^ws_[a-z0-9\\-]{1,48}$","usual":"ws_default"},
  {"name":"owner_id","kind":"text","hint":"ID of a user: user:<id>.","pattern":"^user:[0-7][0-9a-hjkmnp-tv-z]{25}$","usual":"user:01m817qnm0e599bza8yqh63kxq"},
  {"name":"jwks","kind":"json","hint":"Replaces the agent’s keys. null removes them.","nullable":true},
  {"name":"trusts","kind":"json","hint":"External issuers whose tokens authenticate the agent. A token must match one entry. Each entry needs a subject or claims."},
];

export const apiKeyCreate: Facts = [
  {"name":"agent_id","kind":"text","hint":"ID of an agent: service:<id>.","required":true,"pattern":"^service:[0-7][0-9a-hjkmnp-tv-z]{25}$","usual":"service:01m818y430f26s2vf3yj6pjnc7"},
  {"name":"name","kind":"text","hint":"Display name, on a single line.","required":true,"maxLength":128,"usual":"importer, production"},
  {"name":"expires_in_days","kind":"number","hint":"Lifetime of the key, in days. Default: 90.","min":1,"max":365,"usual":90},
  {"name":"scopes","kind":"scopes","hint":"A subset of the agent’s scopes."},
  {"name":"allowed_ips","kind":"list","hint":"IPv4 and IPv6 addresses, and networks in CIDR notation, that can use the key.","minLength":2,"maxLength":43},
];

export const clientCreate: Facts = [
  {"name":"name","kind":"text","hint":"Display name, on a single line.","required":true,"maxLength":128,"usual":"Acme Invoices"},
  {"name":"first_party","kind":"boolean","hint":"Whether the client belongs to the tenant itself, so that users are not asked for consent. Default: false."},
  {"name":"redirect_uris","kind":"list","hint":"Redirect URIs where users return with a code.","required":true,"minLength":5,"maxLength":2048},
  {"name":"post_logout_redirect_uris","kind":"list","hint":"URIs where users return after a logout. Default: none.","minLength":5,"maxLength":2048},
  {"name":"initiate_login_uri","kind":"text","hint":"URL where the application starts a login: https, or http on a loopback host. If a request cannot return to the application, its error page links to this URL with the parameter iss (OpenID Connect Core §4). null for none.","nullable":true,"minLength":5,"maxLength":2048,"pattern":"^[\\x21-\\x7e]+$"},
  {"name":"backchannel_logout_uri","kind":"text","hint":"URL on the client’s server that receives a logout token when a user logs out; null for none.","nullable":true,"minLength":5,"maxLength":2048,"pattern":"^[\\x21-\\x7e]+$"},
  {"name":"backchannel_logout_session_required","kind":"boolean","hint":"Whether the client requires sid in logout tokens. All logout tokens contain it.","usual":false},
  {"name":"require_pushed_authorization_requests","kind":"boolean","hint":"Whether the client must push its authorization requests (RFC 9126 §6).","usual":false},
  {"name":"grant_types","kind":"choices","hint":"Grant types that the client can use. client_credentials issues tokens without a user, for the client’s streams of shared signals.","choices":["authorization_code","refresh_token","client_credentials","urn:ietf:params:oauth:grant-type:device_code","urn:ietf:params:oauth:grant-type:token-exchange","urn:ietf:params:oauth:grant-type:jwt-bearer"]},
  {"name":"scopes","kind":"list","hint":"Scopes that the client can request."},
  {"name":"jwks","kind":"json","hint":"Public keys that verify the client’s assertions, for private_key_jwt; null for none.","nullable":true},
  {"name":"jwks_uri","kind":"text","hint":"URL of the client’s public keys, instead of jwks. The keys are fetched when the client presents an assertion, and cached. For an unknown kid, they are fetched again, at most every 30 seconds. null for none.","nullable":true,"minLength":5,"maxLength":2048,"pattern":"^[\\x21-\\x7e]+$"},
  {"name":"id_token_signed_response_alg","kind":"choice","hint":"Algorithm that signs the client’s ID tokens. All libraries support RS256.","choices":["RS256","ES256","EdDSA"],"usual":"RS256"},
  {"name":"userinfo_signed_response_alg","kind":"choice","hint":"Algorithm that signs the responses of the userinfo endpoint; null for plain JSON.","nullable":true,"choices":["RS256","ES256","EdDSA"]},
  {"name":"subject_type","kind":"choice","hint":"pairwise: the client gets a different subject for each user. Clients share subjects if they have the same host in sector_identifier_uri or, without it, in their redirect URIs.","choices":["public","pairwise"],"usual":"public"},
  {"name":"sector_identifier_uri","kind":"text","hint":"URL of a JSON list that must contain all redirect_uris. Its host determines the pairwise subjects. The list is fetched when you set this field and when you change redirect_uris. null for none.","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"id_token_claims","kind":"boolean","hint":"Whether ID tokens also contain the claims of the granted scopes. If false, only the userinfo endpoint returns them.","usual":true},
  {"name":"client_uri","kind":"text","hint":"URL of a page about the client, for users; null for none.","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"logo_uri","kind":"text","hint":"URL of the client’s logo, which is not shown; null for none.","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"policy_uri","kind":"text","hint":"URL of the client’s privacy policy, linked on the consent page. null for none.","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"tos_uri","kind":"text","hint":"URL of the client’s terms of service, linked on the consent page. null for none.","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"contacts","kind":"list","hint":"Contacts for the client, shown on the consent page.","maxLength":254},
  {"name":"default_max_age","kind":"number","hint":"Maximum time since the user authenticated, in seconds, for requests without max_age; null for no maximum.","nullable":true,"min":0,"max":1000000000},
  {"name":"require_pkce","kind":"boolean","hint":"Whether the client must use PKCE (RFC 7636). null: yes, but a client that authenticates can omit it in requests with the scope openid and a nonce (OAuth 2.1 §7.5.1). true: always. false: PKCE is optional; only clients that authenticate can have this value. The tenant setting oauth_require_pkce and the profile fapi2 override null and false.","nullable":true},
  {"name":"dpop_bound_access_tokens","kind":"boolean","hint":"Whether the client gets access tokens only with a DPoP proof. The tokens are bound to the key of the proof (RFC 9449 §5.2).","usual":false},
  {"name":"require_signed_request_object","kind":"boolean","hint":"Whether the client must sign its authorization requests (RFC 9101 §10.5).","usual":false},
  {"name":"profile","kind":"choice","hint":"fapi2: the client must meet the requirements that oauth_profile sets for all clients, except for nonces in DPoP proofs, which are a setting of the tenant.","choices":["none","fapi2"],"usual":"none"},
  {"name":"refresh_token_policy","kind":"choice","hint":"rotate: each use of a refresh token returns a new one. fixed: the refresh token remains the same until the session ends; only for confidential clients with key-bound tokens.","choices":["rotate","fixed"],"usual":"rotate"},
  {"name":"identity_assertions","kind":"json","hint":"Access that an organization’s administrators grant on behalf of its users (ID-JAG)."},
  {"name":"shared_signals","kind":"choice","hint":"Users whose events the client can receive (OpenID Shared Signals Framework). own_users: users who log in to the client, and its own sessions. all_users: all users and sessions of the tenant. none: the client cannot have streams.","choices":["none","own_users","all_users"],"usual":"none"},
  {"name":"authorization_details_types","kind":"list","hint":"Types of authorization details that the client can request."},
  {"name":"in_app_login","kind":"boolean","hint":"Whether the client can log users in on its own screens, at the authorization challenge endpoint, where it sees their passwords. Only for native clients with first_party.","usual":false},
  {"name":"kind","kind":"choice","hint":"web: runs on a server and keeps a secret. spa: runs in a browser. native: runs on a device.","required":true,"choices":["web","spa","native"],"usual":"web"},
  {"name":"token_endpoint_auth_method","kind":"choice","hint":"Authentication method at the token endpoint. none: a public client.","choices":["client_secret_basic","client_secret_post","private_key_jwt","none"],"usual":"client_secret_basic"},
];

export const clientUpdate: Facts = [
  {"name":"name","kind":"text","hint":"Display name, on a single line.","maxLength":128,"usual":"Acme Invoices"},
  {"name":"first_party","kind":"boolean","hint":"Whether the client belongs to the tenant itself, so that users are not asked for consent. Default: false."},
  {"name":"redirect_uris","kind":"list","hint":"Redirect URIs where users return with a code.","minLength":5,"maxLength":2048},
  {"name":"post_logout_redirect_uris","kind":"list","hint":"URIs where users return after a logout. Default: none.","minLength":5,"maxLength":2048},
  {"name":"initiate_login_uri","kind":"text","hint":"URL where the application starts a login: https, or http on a loopback host. If a request cannot return to the application, its error page links to this URL with the parameter iss (OpenID Connect Core §4). null for none.","nullable":true,"minLength":5,"maxLength":2048,"pattern":"^[\\x21-\\x7e]+$"},
  {"name":"backchannel_logout_uri","kind":"text","hint":"URL on the client’s server that receives a logout token when a user logs out; null for none.","nullable":true,"minLength":5,"maxLength":2048,"pattern":"^[\\x21-\\x7e]+$"},
  {"name":"backchannel_logout_session_required","kind":"boolean","hint":"Whether the client requires sid in logout tokens. All logout tokens contain it.","usual":false},
  {"name":"require_pushed_authorization_requests","kind":"boolean","hint":"Whether the client must push its authorization requests (RFC 9126 §6).","usual":false},
  {"name":"grant_types","kind":"choices","hint":"Grant types that the client can use. client_credentials issues tokens without a user, for the client’s streams of shared signals.","choices":["authorization_code","refresh_token","client_credentials","urn:ietf:params:oauth:grant-type:device_code","urn:ietf:params:oauth:grant-type:token-exchange","urn:ietf:params:oauth:grant-type:jwt-bearer"]},
  {"name":"scopes","kind":"list","hint":"Scopes that the client can request."},
  {"name":"jwks","kind":"json","hint":"Public keys that verify the client’s assertions, for private_key_jwt; null for none.","nullable":true},
  {"name":"jwks_uri","kind":"text","hint":"URL of the client’s public keys, instead of jwks. The keys are fetched when the client presents an assertion, and cached. For an unknown kid, they are fetched again, at most every 30 seconds. null for none.","nullable":true,"minLength":5,"maxLength":2048,"pattern":"^[\\x21-\\x7e]+$"},
  {"name":"id_token_signed_response_alg","kind":"choice","hint":"Algorithm that signs the client’s ID tokens. All libraries support RS256.","choices":["RS256","ES256","EdDSA"],"usual":"RS256"},
  {"name":"userinfo_signed_response_alg","kind":"choice","hint":"Algorithm that signs the responses of the userinfo endpoint; null for plain JSON.","nullable":true,"choices":["RS256","ES256","EdDSA"]},
  {"name":"subject_type","kind":"choice","hint":"pairwise: the client gets a different subject for each user. Clients share subjects if they have the same host in sector_identifier_uri or, without it, in their redirect URIs.","choices":["public","pairwise"],"usual":"public"},
  {"name":"sector_identifier_uri","kind":"text","hint":"URL of a JSON list that must contain all redirect_uris. Its host determines the pairwise subjects. The list is fetched when you set this field and when you change redirect_uris. null for none.","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"id_token_claims","kind":"boolean","hint":"Whether ID tokens also contain the claims of the granted scopes. If false, only the userinfo endpoint returns them.","usual":true},
  {"name":"client_uri","kind":"text","hint":"URL of a page about the client, for users; null for none.","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"logo_uri","kind":"text","hint":"URL of the client’s logo, which is not shown; null for none.","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"policy_uri","kind":"text","hint":"URL of the client’s privacy policy, linked on the consent page. null for none.","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"tos_uri","kind":"text","hint":"URL of the client’s terms of service, linked on the consent page. null for none.","nullable":true,"maxLength":2048,"pattern":"^https:\\/\\/[\\x21-\\x7e]+$"},
  {"name":"contacts","kind":"list","hint":"Contacts for the client, shown on the consent page.","maxLength":254},
  {"name":"default_max_age","kind":"number","hint":"Maximum time since the user authenticated, in seconds, for requests without max_age; null for no maximum.","nullable":true,"min":0,"max":1000000000},
  {"name":"require_pkce","kind":"boolean","hint":"Whether the client must use PKCE (RFC 7636). null: yes, but a client that authenticates can omit it in requests with the scope openid and a nonce (OAuth 2.1 §7.5.1). true: always. false: PKCE is optional; only clients that authenticate can have this value. The tenant setting oauth_require_pkce and the profile fapi2 override null and false.","nullable":true},
  {"name":"dpop_bound_access_tokens","kind":"boolean","hint":"Whether the client gets access tokens only with a DPoP proof. The tokens are bound to the key of the proof (RFC 9449 §5.2).","usual":false},
  {"name":"require_signed_request_object","kind":"boolean","hint":"Whether the client must sign its authorization requests (RFC 9101 §10.5).","usual":false},
  {"name":"profile","kind":"choice","hint":"fapi2: the client must meet the requirements that oauth_profile sets for all clients, except for nonces in DPoP proofs, which are a setting of the tenant.","choices":["none","fapi2"],"usual":"none"},
  {"name":"refresh_token_policy","kind":"choice","hint":"rotate: each use of a refresh token returns a new one. fixed: the refresh token remains the same until the session ends; only for confidential clients with key-bound tokens.","choices":["rotate","fixed"],"usual":"rotate"},
  {"name":"identity_assertions","kind":"json","hint":"Access that an organization’s administrators grant on behalf of its users (ID-JAG)."},
  {"name":"shared_signals","kind":"choice","hint":"Users whose events the client can receive (OpenID Shared Signals Framework). own_users: users who log in to the client, and its own sessions. all_users: all users and sessions of the tenant. none: the client cannot have streams.","choices":["none","own_users","all_users"],"usual":"none"},
  {"name":"authorization_details_types","kind":"list","hint":"Types of authorization details that the client can request."},
  {"name":"in_app_login","kind":"boolean","hint":"Whether the client can log users in on its own screens, at the authorization challenge endpoint, where it sees their passwords. Only for native clients with first_party.","usual":false},
  {"name":"is_active","kind":"boolean","hint":"Whether the client is active. Tokens are not issued to inactive clients."},
];

export const webhookCreate: Facts = [
  {"name":"url","kind":"text","hint":"A public https URL, or a URL that the operator allows.","required":true,"minLength":8,"maxLength":2048,"usual":"https://hooks.example.com/keywright"},
  {"name":"events","kind":"choices","hint":"Event types to send.","required":true,"choices":["user.created","user.updated","user.reclaimed","password.recovered","identifier.verified","user.invited","invitation.accepted","user.deleted","user.login","user.logout","session.created","session.revoked","role.assigned","workspace.created","role.unassigned","role.created","role.updated","role.deleted","workspace.updated","workspace.deleted","workspace.member_added","workspace.member_removed","tenant.updated","key.rotated","key.retired","agent.created","agent.updated","agent.deleted","apikey.created","apikey.rotated","apikey.revoked","delegation.created","delegation.revoked","consent.granted","consent.revoked","factor.added","factor.removed","factor.suspicious","identity.linked","identity.unlinked","webhook.created","webhook.updated","webhook.deleted","webhook.disabled","message.failed","messaging.failing","sms.paused","webhook.test"]},
  {"name":"secret","kind":"secret","hint":"Signing secret. Default: 32 generated random bytes. A short secret can be guessed from a signed delivery, so use at least 32 random characters. If the secret is whsec_ followed by base64, the Standard Webhooks headers are signed with the decoded bytes, otherwise with the text itself.","maxLength":255},
];

export const webhookUpdate: Facts = [
  {"name":"url","kind":"text","hint":"A public https URL, or a URL that the operator allows.","minLength":8,"maxLength":2048,"usual":"https://hooks.example.com/keywright"},
  {"name":"secret","kind":"secret","hint":"Required if you change url: the current secret or a new one. It replaces the current secret without an overlap.","maxLength":255},
  {"name":"events","kind":"choices","hint":"Event types to send.","choices":["user.created","user.updated","user.reclaimed","password.recovered","identifier.verified","user.invited","invitation.accepted","user.deleted","user.login","user.logout","session.created","session.revoked","role.assigned","workspace.created","role.unassigned","role.created","role.updated","role.deleted","workspace.updated","workspace.deleted","workspace.member_added","workspace.member_removed","tenant.updated","key.rotated","key.retired","agent.created","agent.updated","agent.deleted","apikey.created","apikey.rotated","apikey.revoked","delegation.created","delegation.revoked","consent.granted","consent.revoked","factor.added","factor.removed","factor.suspicious","identity.linked","identity.unlinked","webhook.created","webhook.updated","webhook.deleted","webhook.disabled","message.failed","messaging.failing","sms.paused","webhook.test"]},
  {"name":"is_active","kind":"boolean","hint":"Whether the webhook is active. Nothing is sent to an inactive webhook."},
];

export const providerCreate: Facts = [
  {"name":"type","kind":"choice","hint":"Type of the provider. oidc: any OpenID Connect provider with discovery. oauth2: any OAuth 2.0 provider with an endpoint that returns the user’s profile.","required":true,"choices":["oidc","google","microsoft","apple","github","oauth2"],"usual":"oidc"},
  {"name":"name","kind":"text","hint":"Display name.","required":true,"maxLength":100,"usual":"Google"},
  {"name":"issuer","kind":"text","hint":"Issuer, exactly as the provider writes it: a public https URL without a query, or a URL that the operator allows. Required for oidc and oauth2; for other types, defaults to the issuer of the public service. microsoft: common, organizations and consumers instead of a tenant require allowed_tenants. github: the URL of your GitHub server.","minLength":8,"maxLength":512,"usual":"https://accounts.google.com"},
  {"name":"client_id","kind":"text","hint":"Client ID that the provider issued.","required":true,"maxLength":512,"pattern":"^[\\x21-\\x7e]+$","usual":"keywright"},
  {"name":"client_secret","kind":"secret","hint":"Client secret that the provider issued. Never shown again. Required for active providers of type google, microsoft, apple and github. apple: the contents of the key file.","maxLength":1024,"isLong":true},
  {"name":"scopes","kind":"list","hint":"Scopes to request in addition to openid.","maxLength":100},
  {"name":"domains","kind":"list","hint":"Email domains that the provider is authoritative for: it decides who owns an email address there. An email address in another domain is not trusted even if the provider reports it as verified; the user must also prove the account.","maxLength":253},
  {"name":"link","kind":"choice","hint":"Handling of an unknown identity with the verified email address of a user. ask: the user first proves the account in another way. auto: the identity is linked immediately if the email address is in domains; otherwise, and for users whose roles carry scopes, like ask. never: the login is rejected.","choices":["ask","auto","never"]},
  {"name":"trust_mfa","kind":"boolean","hint":"Whether a login counts as two factors if the provider reports that it verified two, with mfa in the amr of its ID token or a known acr value. It never replaces the second factor of a user whose roles carry scopes. Not for github and oauth2, which issue no ID tokens. Default: false."},
  {"name":"allowed_tenants","kind":"list","hint":"With microsoft: the directories (tid) whose users can log in. If empty, only the directory of the issuer."},
  {"name":"team_id","kind":"text","hint":"Required for apple, rejected for other types: the ID of the team.","pattern":"^[A-Z0-9]{10}$","usual":"8K2M4P6Q9R"},
  {"name":"key_id","kind":"text","hint":"Required for apple, rejected for other types: the ID of the key. The client secret is the contents of its .p8 file.","pattern":"^[A-Z0-9]{10}$","usual":"ABC123DEFG"},
  {"name":"authorization_endpoint","kind":"text","hint":"Required for oauth2, rejected for other types: the authorization endpoint.","minLength":8,"maxLength":512,"usual":"https://id.example.com/oauth/authorize"},
  {"name":"token_endpoint","kind":"text","hint":"Required for oauth2, rejected for other types: the token endpoint.","minLength":8,"maxLength":512,"usual":"https://id.example.com/oauth/token"},
  {"name":"userinfo_endpoint","kind":"text","hint":"Required for oauth2, rejected for other types: the endpoint that returns the user’s profile.","minLength":8,"maxLength":512,"usual":"https://id.example.com/api/user"},
  {"name":"subject_claim","kind":"text","hint":"With oauth2: the field of the user’s profile that identifies the user and never changes. Default: sub.","maxLength":64,"pattern":"^[\\w.\\-]+$","usual":"id"},
  {"name":"is_active","kind":"boolean","hint":"Whether users can log in with the provider. A new provider can be active only with skip_test. Default: false."},
  {"name":"skip_test","kind":"boolean","hint":"Enables the provider, or changes an active provider, without a successful test of these settings. The audit log records this. Default: false."},
];

export const providerUpdate: Facts = [
  {"name":"name","kind":"text","hint":"Display name.","maxLength":100,"usual":"Google"},
  {"name":"issuer","kind":"text","hint":"Issuer, exactly as the provider writes it: a public https URL without a query, or a URL that the operator allows. Required for oidc and oauth2; for other types, defaults to the issuer of the public service. microsoft: common, organizations and consumers instead of a tenant require allowed_tenants. github: the URL of your GitHub server.","minLength":8,"maxLength":512,"usual":"https://accounts.google.com"},
  {"name":"client_id","kind":"text","hint":"Client ID that the provider issued.","maxLength":512,"pattern":"^[\\x21-\\x7e]+$","usual":"keywright"},
  {"name":"client_secret","kind":"secret","hint":"Client secret. null removes it.","nullable":true,"maxLength":1024,"isLong":true},
  {"name":"scopes","kind":"list","hint":"Scopes to request in addition to openid.","maxLength":100},
  {"name":"domains","kind":"list","hint":"Email domains that the provider is authoritative for: it decides who owns an email address there. An email address in another domain is not trusted even if the provider reports it as verified; the user must also prove the account.","maxLength":253},
  {"name":"link","kind":"choice","hint":"Handling of an unknown identity with the verified email address of a user. ask: the user first proves the account in another way. auto: the identity is linked immediately if the email address is in domains; otherwise, and for users whose roles carry scopes, like ask. never: the login is rejected.","choices":["ask","auto","never"]},
  {"name":"trust_mfa","kind":"boolean","hint":"Whether a login counts as two factors if the provider reports that it verified two, with mfa in the amr of its ID token or a known acr value. It never replaces the second factor of a user whose roles carry scopes. Not for github and oauth2, which issue no ID tokens. Default: false."},
  {"name":"allowed_tenants","kind":"list","hint":"With microsoft: the directories (tid) whose users can log in. If empty, only the directory of the issuer."},
  {"name":"team_id","kind":"text","hint":"Required for apple, rejected for other types: the ID of the team.","pattern":"^[A-Z0-9]{10}$","usual":"8K2M4P6Q9R"},
  {"name":"key_id","kind":"text","hint":"Required for apple, rejected for other types: the ID of the key. The client secret is the contents of its .p8 file.","pattern":"^[A-Z0-9]{10}$","usual":"ABC123DEFG"},
  {"name":"authorization_endpoint","kind":"text","hint":"Required for oauth2, rejected for other types: the authorization endpoint.","minLength":8,"maxLength":512,"usual":"https://id.example.com/oauth/authorize"},
  {"name":"token_endpoint","kind":"text","hint":"Required for oauth2, rejected for other types: the token endpoint.","minLength":8,"maxLength":512,"usual":"https://id.example.com/oauth/token"},
  {"name":"userinfo_endpoint","kind":"text","hint":"Required for oauth2, rejected for other types: the endpoint that returns the user’s profile.","minLength":8,"maxLength":512,"usual":"https://id.example.com/api/user"},
  {"name":"subject_claim","kind":"text","hint":"With oauth2: the field of the user’s profile that identifies the user and never changes. Default: sub.","maxLength":64,"pattern":"^[\\w.\\-]+$","usual":"id"},
  {"name":"is_active","kind":"boolean","hint":"Whether users can log in with the provider."},
  {"name":"skip_test","kind":"boolean","hint":"Enables the provider, or changes an active provider, without a successful test of these settings. The audit log records this. Default: false."},
];

export const resourceCreate: Facts = [
  {"name":"name","kind":"text","hint":"Display name, on a single line.","required":true,"maxLength":128,"usual":"Acme Files"},
  {"name":"scopes","kind":"json","hint":"Scopes that access tokens for the resource can contain."},
  {"name":"token_ttl","kind":"number","hint":"Maximum lifetime of access tokens for the resource, in seconds; null if only the tenant’s session_timeout applies.","nullable":true,"min":60,"max":86400,"usual":600},
  {"name":"access_token_signing_alg","kind":"choice","hint":"Algorithm that signs access tokens for the resource. Use EdDSA unless the resource’s verifiers do not support it.","choices":["EdDSA","RS256","ES256"],"usual":"EdDSA"},
  {"name":"access_token_typ","kind":"choice","hint":"The typ header of its access tokens: at+jwt (RFC 9068), or JWT for verifiers that reject at+jwt. ID tokens also have JWT, but they do not have the claim token_type, which is access in access tokens.","choices":["at+jwt","JWT"],"usual":"at+jwt"},
  {"name":"dpop_required","kind":"boolean","hint":"Whether access tokens for the resource require a DPoP proof and are bound to its key (RFC 9449).","usual":false},
  {"name":"served_by","kind":"json","hint":"Agents and clients that are allowed to introspect access tokens for the resource."},
  {"name":"authorization_details_types","kind":"json","hint":"Types of authorization details that access tokens for the resource can contain (RFC 9396)."},
  {"name":"uri","kind":"text","hint":"URI that requests name as resource. It is the aud of access tokens for the resource. Compared character by character.","required":true,"maxLength":512,"pattern":"^[a-z][a-z0-9+.\\-]{0,31}:[\\x21\\x22\\x24-\\x7e]+$","usual":"https://files.example.com/mcp"},
];

export const resourceUpdate: Facts = [
  {"name":"name","kind":"text","hint":"Display name, on a single line.","maxLength":128,"usual":"Acme Files"},
  {"name":"scopes","kind":"json","hint":"Scopes that access tokens for the resource can contain."},
  {"name":"token_ttl","kind":"number","hint":"Maximum lifetime of access tokens for the resource, in seconds; null if only the tenant’s session_timeout applies.","nullable":true,"min":60,"max":86400,"usual":600},
  {"name":"access_token_signing_alg","kind":"choice","hint":"Algorithm that signs access tokens for the resource. Use EdDSA unless the resource’s verifiers do not support it.","choices":["EdDSA","RS256","ES256"],"usual":"EdDSA"},
  {"name":"access_token_typ","kind":"choice","hint":"The typ header of its access tokens: at+jwt (RFC 9068), or JWT for verifiers that reject at+jwt. ID tokens also have JWT, but they do not have the claim token_type, which is access in access tokens.","choices":["at+jwt","JWT"],"usual":"at+jwt"},
  {"name":"dpop_required","kind":"boolean","hint":"Whether access tokens for the resource require a DPoP proof and are bound to its key (RFC 9449).","usual":false},
  {"name":"served_by","kind":"json","hint":"Agents and clients that are allowed to introspect access tokens for the resource."},
  {"name":"authorization_details_types","kind":"json","hint":"Types of authorization details that access tokens for the resource can contain (RFC 9396)."},
];

export const registrationTokenCreate: Facts = [
  {"name":"name","kind":"text","hint":"Display name, on a single line.","required":true,"maxLength":128,"usual":"Partners, spring"},
  {"name":"uses","kind":"number","hint":"Number of applications that can be registered with the token. Default: 1.","min":1,"max":10000,"usual":1},
  {"name":"ttl","kind":"number","hint":"Seconds until the token expires. Default: one week.","min":60,"max":31536000,"usual":604800},
  {"name":"scopes","kind":"list","hint":"Scopes that registered applications can request; null for the scopes of OpenID Connect, those of resources, and read permissions.","nullable":true},
  {"name":"resources","kind":"list","hint":"Resources whose scopes registered applications can request; null for all.","nullable":true,"maxLength":512},
  {"name":"redirect_hosts","kind":"list","hint":"Hosts that users can return to. A host does not include its subdomains. localhost stands for the loopback address. null for any host.","nullable":true,"maxLength":253},
];

export const tenantCreate: Facts = [
  {"name":"name","kind":"text","hint":"Display name, on a single line.","required":true,"maxLength":128,"usual":"Acme Ltd"},
  {"name":"slug","kind":"text","hint":"The ID without its prefix. Default: derived from the name.","pattern":"^[a-z0-9\\-]{1,48}$","usual":"acme"},
  {"name":"domains","kind":"list","hint":"Host names of the tenant. Each belongs to one tenant only.","maxLength":300},
  {"name":"config","kind":"json","hint":"Settings to change. null resets a setting to its default."},
  {"name":"branding","kind":"json","hint":"Settings to change. null removes a setting."},
  {"name":"messaging","kind":"json","hint":"Groups of settings to change. null removes a whole group."},
];

export const tenantUpdate: Facts = [
  {"name":"name","kind":"text","hint":"Display name, on a single line.","maxLength":128,"usual":"Acme Ltd"},
  {"name":"config","kind":"json","hint":"Settings to change. null resets a setting to its default."},
  {"name":"branding","kind":"json","hint":"Settings to change. null removes a setting."},
  {"name":"messaging","kind":"json","hint":"Groups of settings to change. null removes a whole group."},
  {"name":"domains","kind":"list","hint":"Host names of the tenant. Each belongs to one tenant only.","maxLength":300},
  {"name":"is_active","kind":"boolean","hint":"Whether the tenant is active. Every request to an inactive tenant fails with 403."},
  {"name":"issuer","kind":"text","hint":"The iss of the tenant’s tokens; null for the default.","nullable":true,"maxLength":512},
];

export const tenantConfig: Facts = [
  {"name":"allowed_login_methods","kind":"choices","hint":"Login methods of the tenant. magic_link sends a link and a code by email, or a code by SMS; it needs a way to send messages. passkey needs an issuer with a host name and https. oauth needs an active identity provider. Second factors that users have are always accepted. A list that would lock out all users is rejected.","scope":"write:logins","nullable":true,"choices":["password","magic_link","oauth","passkey"],"byDefault":["password","magic_link","oauth","passkey"]},
  {"name":"magic_link_url","kind":"text","hint":"Page of the application that opens the links in messages, with the token in the fragment: #link_token=…. If null, messages contain only a code, and invitations link to a page of the service.","scope":"write:logins","nullable":true,"maxLength":512,"byDefault":null},
  {"name":"magic_link_registration","kind":"boolean","hint":"Whether a flow with register creates a user for an unknown identifier after the link or code in its message is used. Needs allow_registration.","scope":"write:logins","nullable":true,"usual":true,"byDefault":true},
  {"name":"return_urls","kind":"list","hint":"Pages of applications that users return to after a login at an identity provider. URLs are compared exactly.","scope":"write:logins","nullable":true,"maxLength":512,"byDefault":[]},
  {"name":"passkey_rp_id","kind":"text","hint":"Domain that passkeys are bound to: a domain of the tenant, or a parent domain that is not a public suffix. If null, the host of the issuer. While users have passkeys, a change requires force=true, because their passkeys stop working.","scope":"write:logins","nullable":true,"maxLength":253,"pattern":"^([a-z0-9]([a-z0-9\\-]{0,61}[a-z0-9])?\\.)*[a-z0-9]([a-z0-9\\-]{0,61}[a-z0-9])?$","byDefault":null},
  {"name":"passkey_origins","kind":"list","hint":"Origins of pages and Android apps that can use passkeys, in addition to the origin of the issuer. Origins on other domains are related origins (WebAuthn Level 3 §5.11); browsers accept five different names.","scope":"write:logins","nullable":true,"maxLength":253,"byDefault":[]},
  {"name":"passkey_attestation","kind":"choice","hint":"Whether authenticators must prove their model when a passkey is added. direct rejects most synced passkeys. Certificates are not compared with those of manufacturers.","scope":"write:logins","nullable":true,"choices":["none","direct"],"usual":"none","byDefault":"none"},
  {"name":"passkey_aaguids","kind":"list","hint":"Models of authenticators that can create new passkeys. If empty, all models.","scope":"write:logins","nullable":true,"byDefault":[]},
  {"name":"require_mfa","kind":"boolean","hint":"Whether every login needs a second factor. Users without one add it during their next login. Users who have a second factor always need it, regardless of this setting.","scope":"write:logins","nullable":true,"usual":false,"byDefault":false},
  {"name":"require_mfa_role","kind":"text","hint":"Users who hold every scope of this role need a second factor for every login. If null, no role requires one.","scope":"write:logins","nullable":true,"pattern":"^[a-z][a-z0-9_\\-]{0,63}$","byDefault":null},
  {"name":"mfa_methods","kind":"choices","hint":"Second factors. passkey and totp can be added during a login by users who have none; factors that users already have are always needed. sms: a code to a verified phone number counts as a second factor of users who have no other. It needs codes by SMS, and is exposed to the theft of phone numbers. email: a code to a verified email address, after another factor, satisfies require_mfa, but the session remains aal1. It needs a mail server.","scope":"write:logins","nullable":true,"choices":["passkey","totp","sms","email"],"byDefault":["passkey","totp"]},
  {"name":"require_verified_identifier","kind":"boolean","hint":"Whether users need a verified identifier to log in. Users without one verify their email address during their next login or refresh. Users without an email address cannot log in until an administrator sets verified. Needs a mail server.","scope":"write:logins","nullable":true,"usual":false,"byDefault":false},
  {"name":"step_up_max_age","kind":"number","hint":"How recently users must have authenticated to change how they log in, or to delete a tenant, in seconds.","scope":"write:logins","nullable":true,"min":30,"max":86400,"usual":300,"byDefault":300},
  {"name":"allow_account_deletion","kind":"boolean","hint":"Whether users can delete their own accounts, after a recent login.","scope":"write:logins","nullable":true,"usual":false,"byDefault":false},
  {"name":"notify_new_device","kind":"boolean","hint":"Whether users are notified of logins from devices that present no device_token of an earlier login. Turn it off if your applications do not store device tokens.","scope":"write:logins","nullable":true,"usual":true,"byDefault":true},
  {"name":"password_min_length","kind":"number","hint":"Minimum length of a new password, in characters.","scope":"write:logins","nullable":true,"min":8,"max":256,"usual":12,"byDefault":12},
  {"name":"password_require_special","kind":"boolean","hint":"Whether a new password must contain a character other than letters and digits.","scope":"write:logins","nullable":true,"usual":false,"byDefault":false},
  {"name":"import_expires_at","kind":"text","hint":"When unused imported passwords stop working. Their users must then recover their accounts. If null, never.","scope":"write:logins","nullable":true,"maxLength":24,"pattern":"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,3})?Z$","byDefault":null},
  {"name":"breached_passwords","kind":"choice","hint":"Which breached passwords are rejected as new passwords. list: the most common ones. range: also those of a service that receives 5 digits of a hash, by default Have I Been Pwned. file: also those in a file of the operator. If the service or the file is unavailable, the password is accepted.","scope":"write:logins","nullable":true,"choices":["off","list","range","file"],"usual":"list","byDefault":"list"},
  {"name":"breached_at_login","kind":"choice","hint":"Handling of a login with a breached password. require: the login continues in a flow that needs a new password. notify: the user gets an email, at most once in 30 days; needs a mail server.","scope":"write:logins","nullable":true,"choices":["require","notify","off"],"usual":"notify","byDefault":"notify"},
  {"name":"session_timeout","kind":"number","hint":"Lifetime of an access token, in seconds.","scope":"write:logins","nullable":true,"min":60,"max":86400,"usual":3600,"byDefault":3600},
  {"name":"refresh_token_ttl","kind":"number","hint":"Lifetime of a refresh token, in seconds. Each refresh issues a token with the full lifetime.","scope":"write:logins","nullable":true,"min":300,"max":31536000,"usual":2592000,"byDefault":2592000},
  {"name":"refresh_token_absolute_ttl","kind":"number","hint":"Maximum lifetime of a session, in seconds, regardless of refreshes.","scope":"write:logins","nullable":true,"min":300,"max":31536000,"usual":7776000,"byDefault":7776000},
  {"name":"browser_session_idle_ttl","kind":"number","hint":"How long a login in a browser, on the pages of the service, remains valid without use, in seconds.","scope":"write:logins","nullable":true,"min":300,"max":31536000,"usual":43200,"byDefault":43200},
  {"name":"browser_session_ttl","kind":"number","hint":"Maximum lifetime of a login in a browser, in seconds, regardless of use.","scope":"write:logins","nullable":true,"min":300,"max":31536000,"usual":604800,"byDefault":604800},
  {"name":"console_idle_ttl","kind":"number","hint":"How long a login in the console remains valid without use, in seconds.","scope":"write:logins","nullable":true,"min":300,"max":604800,"usual":1800,"byDefault":1800},
  {"name":"console_session_ttl","kind":"number","hint":"Maximum lifetime of a login in the console, in seconds.","scope":"write:logins","nullable":true,"min":300,"max":604800,"usual":43200,"byDefault":43200},
  {"name":"oauth_enabled","kind":"boolean","hint":"Whether the tenant is an OpenID provider, where applications can log in users. If off, applications are rejected with OAUTH_OFF. Their sessions are kept, and agents still get tokens.","scope":"write:logins","nullable":true,"usual":true,"byDefault":true},
  {"name":"oauth_profile","kind":"choice","hint":"fapi2 requires the FAPI 2.0 Security Profile of all applications and agents: requests are pushed, clients authenticate with private_key_jwt, tokens are bound to keys by DPoP with nonces of the service, and nothing is signed with RS256. Applications and agents that do not meet it are rejected. The rules of oauth_require_pushed_requests, oauth_dpop_nonces and oauth_require_pkce then always apply.","scope":"write:logins","nullable":true,"choices":["none","fapi2"],"usual":"none","byDefault":"none"},
  {"name":"oauth_require_pkce","kind":"boolean","hint":"Whether all applications must use PKCE (RFC 7636), regardless of their require_pkce. Public applications always must.","scope":"write:logins","nullable":true,"usual":false,"byDefault":false},
  {"name":"oauth_require_pushed_requests","kind":"boolean","hint":"Whether all applications must push their authorization requests (RFC 9126), not only those registered with this requirement.","scope":"write:logins","nullable":true,"usual":false,"byDefault":false},
  {"name":"oauth_dpop_nonces","kind":"boolean","hint":"Whether DPoP proofs need a nonce of the service (RFC 9449 §8), so that proofs cannot be made in advance. The nonce changes every minute. Clients get it in the header DPoP-Nonce.","scope":"write:logins","nullable":true,"usual":false,"byDefault":false},
  {"name":"oauth_registration","kind":"choice","hint":"Who can register applications at the registration endpoint (RFC 7591). off: no one. token: callers with a registration token, or with a credential that has write:clients. open: all callers. Applications registered without a token or credential get no permission to write or to delete, are limited in number, and are deleted after 30 days without a consent.","scope":"write:logins","nullable":true,"choices":["off","token","open"],"usual":"token","byDefault":"token"},
  {"name":"oauth_max_registered_clients","kind":"number","hint":"Maximum number of applications that were registered without a token or credential, or that users added through the URL of a metadata document.","nullable":true,"min":1,"max":20000,"usual":1000,"byDefault":1000},
  {"name":"oauth_metadata_documents","kind":"choice","hint":"Which applications can use the https URL of their metadata document as client_id. listed: those at oauth_client_domains.","scope":"write:logins","nullable":true,"choices":["off","listed","any"],"usual":"listed","byDefault":"listed"},
  {"name":"oauth_client_domains","kind":"list","hint":"Hosts of metadata documents of applications. The whole host name must match.","scope":"write:logins","nullable":true,"maxLength":253,"byDefault":[]},
  {"name":"oauth_consent","kind":"choice","hint":"When users are asked for consent. once: at the first login to an application, and again when it requests more or redirects to a new host. always: at every login to an application. First-party applications need no consent.","scope":"write:logins","nullable":true,"choices":["once","always"],"usual":"once","byDefault":"once"},
  {"name":"refresh_retry_window","kind":"number","hint":"How long a used refresh token returns the same successor, and a completed flow the same tokens, in seconds. It lets clients repeat a request whose response they lost.","scope":"write:logins","nullable":true,"min":0,"max":60,"usual":30,"byDefault":30},
  {"name":"login_attempts_limit","kind":"number","hint":"Maximum number of login attempts for one identifier within login_attempts_window.","nullable":true,"min":1,"max":10000,"usual":10,"byDefault":10},
  {"name":"login_attempts_window","kind":"number","hint":"Length of the window for counting login attempts, in seconds.","nullable":true,"min":1,"max":86400,"usual":300,"byDefault":300},
  {"name":"login_attempts_address_limit","kind":"number","hint":"Maximum number of login attempts from one IP address within login_attempts_window, for any identifiers. If null, ten times login_attempts_limit.","nullable":true,"min":1,"max":100000,"byDefault":null},
  {"name":"registrations_limit","kind":"number","hint":"Maximum number of registrations per hour in the tenant.","nullable":true,"min":1,"max":1000000,"usual":1000,"byDefault":1000},
  {"name":"registrations_address_limit","kind":"number","hint":"Maximum number of registrations per hour from one IP address.","nullable":true,"min":1,"max":1000000,"usual":20,"byDefault":20},
  {"name":"allow_registration","kind":"boolean","hint":"Whether a login with register creates a user. Invited people can always become users.","scope":"write:logins","nullable":true,"usual":true,"byDefault":true},
  {"name":"audience","kind":"text","hint":"Value of aud in access tokens. If null, the issuer.","scope":"write:logins","nullable":true,"maxLength":255,"byDefault":null},
  {"name":"allowed_origins","kind":"list","hint":"Origins whose scripts can read responses in a browser (CORS): https, or http on a loopback host.","scope":"write:logins","nullable":true,"maxLength":253,"byDefault":[]},
  {"name":"locales","kind":"list","hint":"Languages of messages and pages (BCP 47), in order of preference, for users who prefer no other language. If empty, English.","nullable":true,"byDefault":[]},
  {"name":"sms_countries","kind":"list","hint":"Countries whose phone numbers can receive codes by SMS. If empty, no codes are sent by SMS. Needs messaging.sms.","scope":"write:logins","nullable":true,"byDefault":[]},
  {"name":"sms_hourly_limit","kind":"number","hint":"Maximum number of text messages per hour, to all numbers. More are not sent. The last quarter is reserved for new networks, and for users who have proven more than an identifier.","nullable":true,"min":1,"max":100000,"usual":100,"byDefault":100},
  {"name":"sms_daily_limit","kind":"number","hint":"Maximum number of text messages per day, to all numbers.","nullable":true,"min":1,"max":1000000,"usual":500,"byDefault":500},
  {"name":"sms_country_hourly_limit","kind":"number","hint":"Maximum number of text messages per hour to the numbers of one country.","nullable":true,"min":1,"max":100000,"usual":50,"byDefault":50},
  {"name":"custom_claims","kind":"json","hint":"Claims added to the access tokens of users.","scope":"write:logins","nullable":true,"byDefault":{}},
];

export const tenantBranding: Facts = [
  {"name":"logo_url","kind":"text","hint":"URL of a logo: PNG, WebP, AVIF or SVG, at most 256 KiB. The service fetches it once and serves it from its own host.","nullable":true,"maxLength":2048,"usual":"https://acme.example.com/logo.svg"},
  {"name":"logo_dark_url","kind":"text","hint":"URL of a logo for dark backgrounds. Default: the same logo.","nullable":true,"maxLength":2048,"usual":"https://acme.example.com/logo-dark.svg"},
  {"name":"primary_color","kind":"color","hint":"A color: #rrggbb.","nullable":true,"pattern":"^#[0-9a-fA-F]{6}$","usual":"#1d4ed8"},
  {"name":"secondary_color","kind":"color","hint":"A color: #rrggbb.","nullable":true,"pattern":"^#[0-9a-fA-F]{6}$","usual":"#f59e0b"},
  {"name":"company_name","kind":"text","hint":"Name shown to users.","nullable":true,"maxLength":255,"usual":"Acme Ltd"},
  {"name":"support_email","kind":"text","hint":"Email address where users can get help.","nullable":true,"maxLength":254,"usual":"help@acme.example.com"},
  {"name":"terms_url","kind":"text","hint":"URL of the terms of service, linked on pages.","nullable":true,"maxLength":2048,"usual":"https://acme.example.com/terms"},
  {"name":"privacy_url","kind":"text","hint":"URL of the privacy policy, linked on pages.","nullable":true,"maxLength":2048,"usual":"https://acme.example.com/privacy"},
  {"name":"color_scheme","kind":"choice","hint":"Color scheme of the pages. auto (default) follows the browser’s preference.","nullable":true,"choices":["auto","light","dark"]},
  {"name":"corner","kind":"number","hint":"Corner radius of buttons and fields, in pixels. Default: 6.","nullable":true,"min":0,"max":16,"usual":6},
  {"name":"login_layout","kind":"choice","hint":"Position of the login on wide screens. Default: centre.","nullable":true,"choices":["centre","side"]},
];

export const tenantMail: Facts = [
  {"name":"provider","kind":"choice","hint":"Provider of email delivery.","nullable":true,"choices":["smtp"]},
  {"name":"smtp_host","kind":"text","hint":"Host name or IP address of the mail server.","nullable":true,"pattern":"^[A-Za-z0-9.:\\[\\]\\-]{1,253}$","usual":"smtp.example.com"},
  {"name":"smtp_port","kind":"number","hint":"Port of the mail server.","nullable":true,"min":1,"max":65535,"usual":587},
  {"name":"smtp_username","kind":"text","hint":"User name at the mail server.","nullable":true,"maxLength":255,"usual":"acme"},
  {"name":"smtp_password","kind":"secret","hint":"Password at the mail server. Always reads as ********. If you change the host, port, security or user name, you must send it again.","nullable":true,"maxLength":1024},
  {"name":"smtp_security","kind":"choice","hint":"tls: TLS from the start. starttls: STARTTLS is required. none: only for servers that the operator allows. Default: tls on port 465, otherwise starttls.","nullable":true,"choices":["tls","starttls","none"]},
  {"name":"from_address","kind":"text","hint":"Sender of emails.","nullable":true,"maxLength":254,"usual":"no-reply@acme.example.com"},
  {"name":"from_name","kind":"text","hint":"Name of the sender. Default: the company name.","nullable":true,"maxLength":255,"usual":"Acme Ltd"},
  {"name":"reply_to","kind":"text","hint":"Email address for replies. Default: support_email of the branding, or else the sender.","nullable":true,"maxLength":254,"usual":"help@acme.example.com"},
];
