import type { Fail } from '@keywright/contract/errors';
import type { IdentifierType } from '@keywright/contract/identifiers';
import { TEXT_LOCALES } from '@keywright/contract/locale';
import { NAME_LENGTH, NAME_PATTERN, type ProfileRecord } from '@keywright/contract/records/profile';
import { MAX_METADATA_BYTES } from '@keywright/contract/records/user';
import { requireIdentifier } from '../../../platform/http/validation.ts';
import type { NewIdentifier } from './identifier-store.ts';

/** @throws AppError VALIDATION_FAILED if the metadata cannot be stored */
export function requireGoodMetadata(
  metadata: Record<string, unknown>,
  path: '/metadata' | '/user_metadata',
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const message = metadataFlaw(metadata);
  if (message !== undefined) {
    fail('VALIDATION_FAILED', { errors: [{ path, message }] });
  }
}

export interface RequestedIdentifier {
  /** If present, must match the type of the identifier. */
  readonly type?: IdentifierType;
  readonly identifier: string;
  readonly verified?: boolean;
}

/** The new identifiers of a user. Verified identifiers remain verified; users cannot change `verified` of their own. */
export function nextIdentifiers(
  requested: readonly RequestedIdentifier[],
  present: readonly { readonly identifier: string; readonly verified: boolean }[],
  isSelf: boolean,
  fail: Fail<'VALIDATION_FAILED' | 'SELF_VERIFICATION_REFUSED'>,
): NewIdentifier[] {
  const verifiedBefore = new Map(present.map((entry) => [entry.identifier, entry.verified]));
  const next = requested.map((entry, index) => {
    const parsed = requireIdentifier(entry.identifier, `/identifiers/${index}/identifier`, fail);
    if (entry.type !== undefined && entry.type !== parsed.type) {
      const message = `must be ${parsed.type}, which is the type of the identifier`;
      fail('VALIDATION_FAILED', { errors: [{ path: `/identifiers/${index}/type`, message }] });
    }
    const before = verifiedBefore.get(parsed.identifier) ?? false;
    const verified = entry.verified ?? before;
    if (isSelf && verified !== before) fail('SELF_VERIFICATION_REFUSED');
    return { ...parsed, verified };
  });
  if (new Set(next.map((entry) => entry.identifier)).size < next.length) {
    const message = 'must not contain an identifier twice';
    fail('VALIDATION_FAILED', { errors: [{ path: '/identifiers', message }] });
  }
  return next;
}

export const MAX_DEPTH = 32;

/** Why a value cannot be stored as metadata; undefined if it can. */
function metadataFlaw(metadata: object): string | undefined {
  return structureFlaw(metadata) ?? sizeFlaw(metadata);
}

/** Works without recursion, because the caller chooses the depth. */
function structureFlaw(root: object): string | undefined {
  const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') {
      const flaw = textFlaw(value);
      if (flaw) return flaw;
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
      for (const [key, inner] of Object.entries(value)) {
        pending.push({ value: key, depth }, { value: inner, depth: depth + 1 });
      }
    }
  }
  return undefined;
}

/** PostgreSQL does not support NUL or unpaired surrogates in JSON. */
function textFlaw(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character';
  return text.isWellFormed() ? undefined : 'contains a lone surrogate';
}

function sizeFlaw(metadata: object): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  return bytes > MAX_METADATA_BYTES
    ? `is larger than ${MAX_METADATA_BYTES} bytes as JSON`
    : undefined;
}

type Profile = Pick<ProfileRecord, 'name' | 'locale'>;
type UserMetadata = Readonly<Record<string, unknown>>;

const NAME = new RegExp(NAME_PATTERN, 'u');

/** The profile in `user_metadata`. Users can write any value there, so an invalid value is treated as absent. */
export function profileIn({ name, locale }: UserMetadata): Profile {
  const isName = typeof name === 'string' && name.length <= NAME_LENGTH && NAME.test(name);
  return {
    name: isName ? name : null,
    locale: TEXT_LOCALES.find((textLocale) => textLocale === locale) ?? null,
  };
}

/** @param change a member that is null is removed */
export function withProfile(metadata: UserMetadata, change: Partial<Profile>): UserMetadata {
  const all = Object.entries({ ...metadata, ...change });
  return Object.fromEntries(
    all.filter(([key, value]) => !(Object.hasOwn(change, key) && value === null)),
  );
}
