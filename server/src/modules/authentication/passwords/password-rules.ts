import { createHmac } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import { SECRET_MAX_LENGTH, type TenantConfig } from '@keywright/contract/records/tenant';
import type { Share } from '../../../platform/crypto/fair-queue.ts';
import { decoyOf } from '../../../platform/crypto/foreign-hash.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { ForeignHashes } from '../../../tenancy/tenant.ts';
import type { LoginMethod, Method, Shown } from '../proofs/index.ts';

const SPECIAL = /[^\p{L}\p{N}\s]/u;

type Rules = Pick<TenantConfig, 'password_min_length' | 'password_require_special'>;

/** Where a password is known from. */
type Breach = 'list' | 'breach';
export type FindBreach = (normalised: string) => Promise<Breach | undefined>;

const KNOWN: Readonly<Record<Breach, string>> = {
  list: 'is one of the most common passwords',
  breach: 'is known from a breach of another service',
};

const findInList: FindBreach = async (normalised) =>
  (await isCommonPassword(normalised)) ? 'list' : undefined;

/** What a new password is compared with. */
interface Comparisons {
  /** Where it is known from, if it is; after NFKC. */
  readonly findBreach: FindBreach;
  /** Of its user and the tenant: ASVS 6.2.11. */
  readonly names: readonly string[];
}

/** What is wrong with a new password; undefined if it is acceptable. Characters are counted after NFKC. */
export async function passwordFlaw(
  password: string,
  rules: Rules,
  { findBreach, names }: Comparisons = { findBreach: findInList, names: [] },
): Promise<string | undefined> {
  const normalised = password.normalize('NFKC');
  const length = lengthOf(normalised);
  if (length > SECRET_MAX_LENGTH) return `has more than ${SECRET_MAX_LENGTH} characters`;
  if (length < rules.password_min_length) {
    return `needs at least ${rules.password_min_length} characters`;
  }
  if (rules.password_require_special && !SPECIAL.test(normalised)) {
    return 'needs a character that is neither a letter nor a digit';
  }
  if (consistsOf(normalised, names)) return 'is little more than a name of the user or the tenant';
  const breach = await findBreach(normalised);
  return breach && KNOWN[breach];
}

/** No tenant accepts a shorter password: what a password has beside names has to be as long. */
const SHORTEST = 8;
const SHORTEST_NAME = 3;

function consistsOf(password: string, names: readonly string[]): boolean {
  let rest = password.toLowerCase();
  for (const name of partsOf(names)) rest = rest.replaceAll(name, '');
  return lengthOf(rest) < SHORTEST;
}

/** The names, the longest first, and their parts, such as those of an e-mail address. */
function partsOf(names: readonly string[]): string[] {
  const whole = names.map((name) => name.normalize('NFKC').toLowerCase());
  const parts = whole.concat(whole.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)));
  const long = new Set(parts.filter((part) => lengthOf(part) >= SHORTEST_NAME));
  return [...long].toSorted((one, other) => other.length - one.length);
}

/** Before any hash is computed: whether a presented secret has an acceptable length. */
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
 * The hash to verify for an identifier that has none, so that it takes as long as that of a known one: of each scheme
 * for as many identifiers, relatively, as users have it. Which one is the same each time, and secret.
 * @returns undefined for a hash as this service makes them
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

/** From 0 to 1, the same for an identifier each time. */
function fractionOf(key: string, scheme: string, identifier: string): number {
  const mac = createHmac('sha256', Buffer.from(key, 'base64'));
  return (
    mac
      .update(JSON.stringify([scheme, identifier]))
      .digest()
      .readUIntBE(0, 6) / SCALE
  );
}

export const PASSWORD = {
  kind: 'knowledge',
  allowedAs: 'password',
  amr: ['pwd'],
} as const satisfies Method;

/** The same, for one that is known from a breach. */
export const BREACHED_PASSWORD = { ...PASSWORD, isCompromised: true } as const satisfies Method;

export interface PasswordInput {
  readonly secret: string;
  readonly share: Share;
  /** Verified in place of a hash that is missing. */
  readonly decoy: string | undefined;
  /** The user whose password it must be; undefined if there is none. */
  readonly user: (Shown & { readonly secretHash: string | undefined }) | undefined;
}

/** One hash in every case: unknown users, wrong passwords and inactive users are indistinguishable. */
export function createPasswordMethod(passwords: PasswordHasher): LoginMethod<PasswordInput> {
  return {
    ...PASSWORD,
    async prove({ user, secret, share, decoy }) {
      const isRight = await passwords.verify(user?.secretHash, secret, share, decoy);
      return isRight ? user : undefined;
    },
  };
}
