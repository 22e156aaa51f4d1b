import type { Fail } from '@keywright/contract/errors';
import { SECRET_MAX_LENGTH, type TenantConfig } from '@keywright/contract/records/tenant';
import { isCommonPassword } from './leaked-list.ts';

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
