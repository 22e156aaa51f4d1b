/** The screens of records, by ID prefix. */
const SCREENS: readonly (readonly [prefix: string, path: string])[] = [
  ['user:', '/users/'],
  ['service:', '/agents/'],
  ['client_', '/clients/'],
  ['wh_', '/webhooks/'],
  ['ws_', '/workspaces/'],
  ['idp_', '/providers/'],
  ['inv_', '/invitations/'],
  ['res_', '/resources/'],
];
/** Shown to system administrators. */
const TENANT = /^org_[a-z0-9-]{1,48}$/;
/** IDs of other records. The audit log shows what was done to them. */
const ID = /^(?:session:|[a-z]{2,6}_)[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const REQUEST = /^[\w-]{22}$/;

export interface Found {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

/** Returns the screen for pasted text: a record's ID, a request ID, or a user's email address. */
export function placeOf(text: string, isSystemAdministrator = false): Found | undefined {
  const trimmed = text.trim();
  if (/^[^\s@]+@[^\s@]+$/.test(trimmed)) return { to: '/users', search: { email: trimmed } };
  const screen = SCREENS.find(([prefix]) => trimmed.startsWith(prefix) && trimmed !== prefix);
  if (screen && /^[\w:-]{4,64}$/.test(trimmed)) return { to: `${screen[1]}${trimmed}` };
  if (isSystemAdministrator && TENANT.test(trimmed)) return { to: `/tenants/${trimmed}` };
  if (ID.test(trimmed)) return { to: '/audit', search: { target: trimmed } };
  if (REQUEST.test(trimmed)) return { to: '/audit', search: { request_id: trimmed } };
  return undefined;
}
