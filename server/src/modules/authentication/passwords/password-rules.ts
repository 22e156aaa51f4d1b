import { createHmac } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import { SECRET_MAX_LENGTH, type TenantConfig } from '@keywright/contract/records/tenant';
import { decoyOf } from '../../../platform/crypto/foreign-hash.ts';
import type { ForeignHashes } from '../../../tenancy/tenant.ts';

const SPECIAL = /[^\p{L}\p{N}\s]/u;
/** The shortest password that any tenant accepts. Without the names in it, a password must still be this long. */
const SHORTEST = 8;
const SHORTEST_NAME = 3;

type Rules = Pick<TenantConfig, 'password_min_length' | 'password_require_special'>;

/** The source that a password was found in. */
export type Breach = 'list' | 'breach';
type FindBreach = (normalized: string) => Promise<Breach | undefined>;

const MESSAGE_OF: Readonly<Record<Breach, string>> = {
  list: 'is one of the most common passwords',
  breach: 'is known from a breach of another service',
};

const findInList: FindBreach = async (normalized) =>
  (await isCommonPassword(normalized)) ? 'list' : undefined;

/** The data that a new password is compared with. */
interface Comparisons {
  /** Finds the source that contains a password after NFKC, if any. */
  readonly findBreach: FindBreach;
  /** The names of the user and the tenant (ASVS 6.2.11). */
  readonly names: readonly string[];
}

/** Returns the flaw of a new password; undefined if it is acceptable. Characters are counted after NFKC. */
export async function passwordFlaw(
  password: string,
  rules: Rules,
  { findBreach, names }: Comparisons = { findBreach: findInList, names: [] },
): Promise<string | undefined> {
  const normalized = password.normalize('NFKC');
  const length = lengthOf(normalized);
  if (length > SECRET_MAX_LENGTH) return `has more than ${SECRET_MAX_LENGTH} characters`;
  if (length < rules.password_min_length) {
    return `needs at least ${rules.password_min_length} characters`;
  }
  if (rules.password_require_special && !SPECIAL.test(normalized)) {
    return 'needs a character that is neither a letter nor a digit';
  }
  if (consistsOf(normalized, names)) return 'is little more than a name of the user or the tenant';
  const breach = await findBreach(normalized);
  return breach && MESSAGE_OF[breach];
}

function consistsOf(password: string, names: readonly string[]): boolean {
  let rest = password.toLowerCase();
  for (const name of partsOf(names)) rest = rest.replaceAll(name, '');
  return lengthOf(rest) < SHORTEST;
}

/** The names and their parts, such as those of an email address, the longest first. */
function partsOf(names: readonly string[]): string[] {
  const whole = names.map((name) => name.normalize('NFKC').toLowerCase());
  const parts = whole.concat(whole.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)));
  const long = new Set(parts.filter((part) => lengthOf(part) >= SHORTEST_NAME));
  return [...long].toSorted((one, other) => other.length - one.length);
}

/** Rejects a secret of unacceptable length before any hash is computed. */
export function requireBoundedSecret(
  secret: string,
  path: string,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  if (lengthOf(secret.normalize('NFKC')) > SECRET_MAX_LENGTH) {
    const message = `has more than ${SECRET_MAX_LENGTH} characters`;
    fail('VALIDATION_FAILED', { errors: [{ path, message }] });
  }
}

/** Characters as code points. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

let list: Promise<ReadonlySet<string>> | undefined;

/** Whether a password is among the 49,000 most common ones, ignoring case. Loaded on first use. */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= readList();
  return (await list).has(password.toLowerCase());
}

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const passwords: readonly string[] = dictionary['passwords-common'];
  return new Set(passwords.filter((one) => one.length >= SHORTEST).map((one) => one.toLowerCase()));
}

const SCALE = 2 ** 48;

/**
 * Returns the hash to verify for an identifier without a hash, so that verification takes as long as for a known
 * identifier: each scheme is assigned to the same share of identifiers as of users. The scheme of an identifier is
 * secret, and always the same.
 * @returns undefined for a hash with the scheme of this service
 */
export function decoyFor(
  hashes: ForeignHashes | undefined,
  identifier: string,
): string | undefined {
  if (!hashes) return undefined;
  let others = hashes.total;
  for (const scheme of Object.keys(hashes.schemes).toSorted()) {
    const users = hashes.schemes[scheme] ?? 0;
    if (fractionOf(hashes.key, scheme, identifier) < users / others) return decoyOf(scheme);
    others -= users;
  }
  return undefined;
}

/** Returns a number from 0 to 1 that is always the same for an identifier. */
function fractionOf(key: string, scheme: string, identifier: string): number {
  const mac = createHmac('sha256', Buffer.from(key, 'base64'));
  return (
    mac
      .update(JSON.stringify([scheme, identifier]))
      .digest()
      .readUIntBE(0, 6) / SCALE
  );
}
