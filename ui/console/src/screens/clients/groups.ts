import { clientUpdate } from '../../generated/facts.ts';

const BASICS = [
  'name',
  'is_active',
  'redirect_uris',
  'post_logout_redirect_uris',
  'initiate_login_uri',
  'scopes',
  'grant_types',
  'first_party',
];
const ABOUT = ['client_uri', 'policy_uri', 'tos_uri', 'contacts'];

const others = clientUpdate
  .map(({ name }) => name)
  .filter((name) => !BASICS.includes(name) && !ABOUT.includes(name));

/** The fields of a client by form: what most clients need, what users see, and the rest. */
export const CLIENT_GROUPS = [
  { title: 'change', fields: BASICS },
  { title: 'group.security', fields: others },
  { title: 'group.about', fields: ABOUT },
] as const;
