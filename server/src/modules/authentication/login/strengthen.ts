import { AppError } from '@keywright/contract/errors';
import type { Clock } from '../../../platform/clock.ts';
import type { Share } from '../../../platform/crypto/fair-queue.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { countForeignHashes, replaceSecretHash } from '../../identity/users/index.ts';
import type { LoginRow } from './login-store.ts';

/** How long the shares of foreign hashes can be out of date while users with one log in. */
const RECOUNT_MS = 10 * 60 * 1000;

interface Dependencies {
  readonly gate: Gate;
  readonly passwords: PasswordHasher;
  readonly clock: Clock;
}

export type Strengthen = (
  tenant: Tenant,
  row: LoginRow,
  secret: string,
  share: Share,
) => Promise<void>;

/** Rehashes a secret that was hashed elsewhere or with weaker parameters, while it is available. */
export function createStrengthen({ gate, passwords, clock }: Dependencies): Strengthen {
  return async (tenant, { user_id: userId, secret_hash: secretHash }, secret, share) => {
    if (userId === null || secretHash === null || !passwords.isOutdated(secretHash)) return;
    // If too many passwords are waiting, the old hash is kept until the next login.
    const stronger = await passwords.hash(secret, share).catch(ifNotBusy);
    if (stronger === undefined) return;
    await gate.into(tenant.id).transaction(async (tx) => {
      await replaceSecretHash(tx, userId, secretHash, stronger);
      if (isCountOld(tenant, clock.now())) await countForeignHashes(tx, passwords.scheme);
    });
  };
}

function isCountOld({ foreignHashes }: Tenant, now: Date): boolean {
  if (!foreignHashes) return false;
  return now.getTime() - Date.parse(foreignHashes.counted_at) > RECOUNT_MS;
}

function ifNotBusy(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'TOO_BUSY') return undefined;
  throw error;
}
