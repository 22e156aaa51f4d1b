import type { Share } from '../../../platform/crypto/fair-queue.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { beginFlow, decide, type Next, prove, type UserState } from '../proofs/index.ts';
import type { PasswordInput } from '../passwords/index.ts';
import type { LoginMethods } from './methods.ts';
import type { LoginRow } from './store.ts';

/** The result of checking a secret for a user, who may not exist. */
export async function proveSecret(
  { password }: LoginMethods,
  tenant: Tenant,
  row: LoginRow,
  { secret, share }: { readonly secret: string; readonly share: Share },
  now: Date,
): Promise<Next> {
  const input = { user: holderOf(row), secret, share };
  const flow = await prove(beginFlow(tenant.id), password, input, now);
  return decide(flow, userStateOf(row), tenant.config);
}

/** Whose password it has to be. */
export function holderOf(row: LoginRow): PasswordInput['user'] {
  if (row.user_id === null) return undefined;
  const { user_id: userId, auth_version: authVersion, secret_hash: secretHash } = row;
  return { userId, authVersion, secretHash: secretHash ?? undefined };
}

function userStateOf(row: LoginRow): UserState | undefined {
  if (row.user_id === null) return undefined;
  const { user_id: id, is_active: isActive, auth_version: authVersion } = row;
  return { id, isActive, authVersion, hasSecondFactor: row.has_second_factor };
}
