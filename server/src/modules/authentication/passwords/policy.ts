import type { Fail } from '@keywright/contract/errors';
import { SECRET_MAX_LENGTH, type TenantConfig } from '@keywright/contract/records/tenant';
import { isCommonPassword } from './leaked-list.ts';

const SPECIAL = /[^\p{L}\p{N}\s]/u;

type Rules = Pick<TenantConfig, 'password_min_length' | 'password_require_special'>;

/** What is wrong with a new password; undefined if it is acceptable. Characters are counted after NFKC. */
export async function passwordFlaw(password: string, rules: Rules): Promise<string | undefined> {
  const normalised = password.normalize('NFKC');
  const length = lengthOf(normalised);
  if (length > SECRET_MAX_LENGTH) return `has more than ${SECRET_MAX_LENGTH} characters`;
  if (length < rules.password_min_length) {
    return `needs at least ${rules.password_min_length} characters`;
  }
  if (rules.password_require_special && !SPECIAL.test(normalised)) {
    return 'needs a character that is neither a letter nor a digit';
  }
  if (await isCommonPassword(normalised)) return 'is one of the most common passwords';
  return undefined;
}

/** @throws AppError VALIDATION_FAILED, naming the field, when the password breaks a rule of the tenant */
export async function requireGoodPassword(
  password: string,
  rules: Rules,
  path: string,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const message = await passwordFlaw(password, rules);
  if (message !== undefined) fail('VALIDATION_FAILED', { errors: [{ path, message }] });
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
