import type { IdentifierRecord } from '@keywright/contract/records/user';

/** A user, as clients are told of them. */
export interface ClaimedUser {
  readonly identifiers: readonly IdentifierRecord[];
  /** What administrators wrote: what users write themselves is not vouched for. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** When any of that was last changed, in seconds; undefined: it was not read. */
  readonly updated_at: number | undefined;
}

/** Whether a value is one that clients expect of a claim. */
type IsExpected = (text: string) => boolean;

const isText: IsExpected = (text) => text !== '';
const isAddress: IsExpected = (text) => /^https?:/i.test(text) && URL.canParse(text);
/** ISO 8601; year 0000 or the year alone where the rest is not told. */
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

/** The claims that each scope asks for (OpenID Connect Core §5.4). */
const BY_SCOPE: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['profile', [...PROFILE.keys(), 'updated_at']],
  ...Object.entries(IDENTIFIERS),
]);

/** All that is told of a user, if it is known. */
export const USER_CLAIMS: readonly string[] = [...BY_SCOPE.values()].flat();

/** The claims about a user that these scopes grant, or that were asked for by name; what is not known is left out. */
export function claimsOf(
  user: ClaimedUser,
  scopes: readonly string[],
  asked: readonly string[] = [],
): Record<string, unknown> {
  const names = new Set([...scopes.flatMap((scope) => BY_SCOPE.get(scope) ?? []), ...asked]);
  const known = {
    ...profileOf(user.metadata),
    ...changeOf(user),
    ...emailOf(user),
    ...phoneOf(user),
  };
  return Object.fromEntries(Object.entries(known).filter(([name]) => names.has(name)));
}

/** What a claim about a user is taken from; undefined: no claim about a user. */
export function originOf(name: string): 'metadata' | 'identifier' | undefined {
  if (PROFILE.has(name)) return 'metadata';
  return Object.values(IDENTIFIERS).some((names) => names.some((one) => one === name))
    ? 'identifier'
    : undefined;
}

/** From the members of these names. Text only: a client may fail at anything else. */
function profileOf(metadata: ClaimedUser['metadata']): Record<string, string> {
  const told: Record<string, string> = {};
  for (const [name, isExpected] of PROFILE) {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    if (typeof value === 'string' && isExpected(value)) told[name] = value;
  }
  return told;
}

/** OpenID Connect Core §5.1: a number of seconds. */
function changeOf({ updated_at: at }: ClaimedUser): object {
  return at === undefined ? {} : { updated_at: at };
}

/** The first address. */
function emailOf({ identifiers }: ClaimedUser): object {
  const first = identifiers.find(({ type }) => type === 'email');
  return first ? { email: first.identifier, email_verified: first.verified } : {};
}

function phoneOf({ identifiers }: ClaimedUser): object {
  const first = identifiers.find(({ type }) => type === 'phone');
  return first ? { phone_number: first.identifier, phone_number_verified: first.verified } : {};
}
