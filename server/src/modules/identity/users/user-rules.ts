import { isIP } from 'node:net';
import type { Fail } from '@keywright/contract/errors';
import type { IdentifierType } from '@keywright/contract/identifiers';
import { TEXT_LOCALES } from '@keywright/contract/locale';
import type { ProfileRecord } from '@keywright/contract/records/profile';
import type { TenantConfig } from '@keywright/contract/records/tenant-config';
import { MAX_METADATA_BYTES } from '@keywright/contract/records/user';
import { isPublicAddress } from '../../../platform/egress/address-rules.ts';
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

/** The name and picture of a user. */
export type Appearance = Pick<ProfileRecord, 'name' | 'picture'>;

/** Sorts after every name. */
const NO_NAME = '\u{10FFFF}';

/** A name as lists sort and find it: without accents, in lowercase. */
export function nameKey(name: string | null): string {
  return name === null ? NO_NAME : foldedName(name);
}

export function foldedName(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().normalize('NFC');
}

/** The fields of a change of name and picture, in their stored form. Present if the change has them. */
export function appearanceIn(
  { name, picture }: Partial<Appearance>,
  before: Partial<Appearance>,
  fail: Fail<'VALIDATION_FAILED'>,
): Partial<Appearance> {
  if (picture && picture !== before.picture && !isPublicPicture(picture)) {
    const message = 'must be an https URL of a public host, without credentials';
    fail('VALIDATION_FAILED', { errors: [{ path: '/picture', message }] });
  }
  return {
    ...(name !== undefined && { name: name === null ? null : tidyName(name) }),
    ...(picture !== undefined && { picture }),
  };
}

/**
 * The name of a user who registers, in its stored form.
 * @throws AppError VALIDATION_FAILED if the tenant requires a name. Does not depend on whether the user exists.
 */
export function requireRegistrationName(
  { config }: { readonly config: Pick<TenantConfig, 'registration_name'> },
  typed: string | null,
  fail: Fail<'VALIDATION_FAILED'>,
): string | null {
  const name = typed === null ? '' : tidyName(typed);
  if (name === '' && config.registration_name === 'required') {
    const message = 'is needed to register';
    fail('VALIDATION_FAILED', { errors: [{ path: '/name', message }] });
  }
  return name === '' ? null : name;
}

/** A name without spaces around it or more than one between its words. */
function tidyName(name: string): string {
  return name.normalize('NFC').trim().replaceAll(/\s+/gu, ' ');
}

/** Whether browsers can load the picture without reaching into a private network. */
function isPublicPicture(picture: string): boolean {
  const url = URL.parse(picture);
  return url?.protocol === 'https:' && !url.username && !url.password && isPublicHost(url.hostname);
}

/** Names that have no public address (RFC 6761, RFC 6762, RFC 8375, and ICANN's reservation of `internal`). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return isIP(host) === 0 ? host.includes('.') && !PRIVATE_NAME.test(host) : isPublicAddress(host);
}

type UserMetadata = Readonly<Record<string, unknown>>;
type Locale = Pick<ProfileRecord, 'locale'>;

/** The language in `user_metadata`. Users can write any value there, so an invalid value is treated as absent. */
export function localeIn({ locale }: UserMetadata): Locale {
  return { locale: TEXT_LOCALES.find((textLocale) => textLocale === locale) ?? null };
}

/** @param change a language that is null is removed */
export function withLocale(metadata: UserMetadata, locale: ProfileRecord['locale']): UserMetadata {
  const { locale: _locale, ...others } = metadata;
  return locale === null ? others : { ...others, locale };
}
