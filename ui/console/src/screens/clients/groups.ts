import { clientUpdate } from '../../generated/facts.ts';

const GENERAL = [
  'name',
  'is_active',
  'redirect_uris',
  'post_logout_redirect_uris',
  'first_party',
  'scopes',
  'client_uri',
  'policy_uri',
  'tos_uri',
  'contacts',
];
const SECURITY = [
  'require_pkce',
  'refresh_token_policy',
  'default_max_age',
  'profile',
  'require_pushed_authorization_requests',
  'dpop_bound_access_tokens',
  'require_signed_request_object',
  'jwks_uri',
];

const others = clientUpdate
  .map(({ name }) => name)
  .filter((name) => !GENERAL.includes(name) && !SECURITY.includes(name));

/** The fields of a client: those that most clients need, those that protect it, and the rest. */
export const CLIENT_GROUPS = [
  { title: 'general', fields: GENERAL },
  { title: 'group.security', fields: SECURITY },
  { title: 'advanced', fields: others },
] as const;
