import type { IdentifierRecord } from '@keywright/contract/records/user';

/** The data from which user claims are built. */
export interface ClaimedUser {
  readonly identifiers: readonly IdentifierRecord[];
  /** Written by administrators: metadata that users write is not verified. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** When the data last changed, in seconds; undefined if it was not read. */
  readonly updated_at: number | undefined;
}

/** Whether a value is valid for the claim. */
type IsExpected = (text: string) => boolean;

const isText: IsExpected = (text) => text !== '';
const isAddress: IsExpected = (text) => /^https?:/i.test(text) && URL.canParse(text);
/** ISO 8601, with the year 0000 or only the year if the rest is unknown. */
const isBirthdate: IsExpected = (text) => /^\d{4}(-\d{2}-\d{2})?$/.test(text);

/** OpenID Connect Core §5.1. */
const PROFILE: ReadonlyMap<string, IsExpected> = new Map([
  ['name', isText],
  ['given_name', isText],
  ['middle_name', isText],
  ['family_name', isText],
  ['nickname', isText],
  ['preferred_username', isText],
  ['profile', isAddress],
  ['picture', isAddress],
  ['website', isAddress],
  ['gender', isText],
  ['birthdate', isBirthdate],
  ['locale', isText],
  ['zoneinfo', isText],
]);

const IDENTIFIERS = {
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
} as const;

/** The claims of each scope (OpenID Connect Core §5.4). */
const BY_SCOPE: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['profile', [...PROFILE.keys(), 'updated_at']],
  ...Object.entries(IDENTIFIERS),
]);

/** All claims about users. */
export const USER_CLAIMS: readonly string[] = [...BY_SCOPE.values()].flat();

/** Returns the user claims of these scopes, and those that the client requested by name. Unknown names are ignored. */
export function claimsOf(
  user: ClaimedUser,
  scopes: readonly string[],
  requested: readonly string[] = [],
): Record<string, unknown> {
  const names = new Set([...scopes.flatMap((scope) => BY_SCOPE.get(scope) ?? []), ...requested]);
  const known = {
    ...profileOf(user.metadata),
    ...changeOf(user),
    ...emailOf(user),
    ...phoneOf(user),
  };
  return Object.fromEntries(Object.entries(known).filter(([name]) => names.has(name)));
}

/** Returns the source of a user claim; undefined for any other claim. */
export function originOf(name: string): 'metadata' | 'identifier' | undefined {
  if (PROFILE.has(name)) return 'metadata';
  return Object.values(IDENTIFIERS).some((names) => names.some((one) => one === name))
    ? 'identifier'
    : undefined;
}

/** Returns the profile claims in the metadata. Only text is included, because a client can fail on other types. */
function profileOf(metadata: ClaimedUser['metadata']): Record<string, string> {
  const claims: Record<string, string> = {};
  for (const [name, isExpected] of PROFILE) {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    if (typeof value === 'string' && isExpected(value)) claims[name] = value;
  }
  return claims;
}

/** OpenID Connect Core §5.1: the time in seconds. */
function changeOf({ updated_at: at }: ClaimedUser): object {
  return at === undefined ? {} : { updated_at: at };
}

/** The first email address. */
function emailOf({ identifiers }: ClaimedUser): object {
  const first = identifiers.find(({ type }) => type === 'email');
  return first ? { email: first.identifier, email_verified: first.verified } : {};
}

function phoneOf({ identifiers }: ClaimedUser): object {
  const first = identifiers.find(({ type }) => type === 'phone');
  return first ? { phone_number: first.identifier, phone_number_verified: first.verified } : {};
}
