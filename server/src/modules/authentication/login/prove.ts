import type { UserId } from '@keywright/contract/ids';
import type { Share } from '../../../platform/crypto/fair-queue.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { LoginRow } from './store.ts';

/** A user whose secret was right, and the hash that it was right against. */
export interface Proven {
  readonly userId: UserId;
  readonly secretHash: string;
}

/** One hash, whoever it is for and whatever comes out: unknown, wrong and inactive look the same. */
export async function prove(
  passwords: PasswordHasher,
  tenant: Tenant,
  row: LoginRow,
  secret: string,
  share: Share,
): Promise<Proven | undefined> {
  const isRight = await passwords.verify(row.secret_hash ?? undefined, secret, share);
  const mayLogIn = row.is_active && tenant.config.allowed_login_methods.includes('password');
  return isRight && mayLogIn && row.user_id && row.secret_hash
    ? { userId: row.user_id, secretHash: row.secret_hash }
    : undefined;
}
