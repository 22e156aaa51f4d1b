import { randomBytes } from 'node:crypto';
import { parseUserId, type TenantId, type UserId } from '@keywright/contract/ids';
import { seal, sha256, unseal } from '../../../platform/crypto/sealed.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';

/** A device is known for so long after its last login. */
const LIFE_SECONDS = 90 * 24 * 60 * 60;
const ID_BYTES = 16;
const HASH_BYTES = 16;
const END_BYTES = 6;
const FIXED_BYTES = ID_BYTES + HASH_BYTES + END_BYTES;

/** A device that a user logged in from before. */
export interface KnownDevice {
  readonly id: Buffer;
  readonly userId: UserId;
  /** Of the secret hash that the user had: another one now means that the password was changed. */
  readonly secretHashHash: Buffer;
}

/**
 * Marks by which a device shows that its user logged in from it before. They are sealed for their tenant, so that only
 * this service makes, reads or changes them; the database holds none.
 */
export interface DeviceTokens {
  /** @param known the device, where it has shown an older one */
  issue(
    tenantId: TenantId,
    user: { readonly userId: UserId; readonly secretHash: string },
    known: KnownDevice | undefined,
    now: Date,
  ): string;
  /** Nothing where it is of another tenant, too old, or no such token. */
  read(tenantId: TenantId, token: string, now: Date): KnownDevice | undefined;
}

export function createDeviceTokens(masterKeys: MasterKeys): DeviceTokens {
  const keys = masterKeys.derive('device tokens');
  const [newest] = keys;
  if (!newest) throw new Error('There is no master key.');
  const place = (tenantId: TenantId) => `device tokens of ${tenantId}`;

  function open(tenantId: TenantId, sealed: Buffer): Buffer | undefined {
    for (const key of keys) {
      try {
        return unseal(key, sealed, place(tenantId));
      } catch {
        // Sealed with another key, or by nobody here.
      }
    }
    return undefined;
  }

  return {
    issue(tenantId, { userId, secretHash }, known, now) {
      const end = Buffer.alloc(END_BYTES);
      end.writeUIntBE(Math.floor(now.getTime() / 1000) + LIFE_SECONDS, 0, END_BYTES);
      const id = known?.userId === userId ? known.id : randomBytes(ID_BYTES);
      const plain = Buffer.concat([id, hashOf(secretHash), end, Buffer.from(userId)]);
      return seal(newest, plain, place(tenantId)).toString('base64url');
    },
    read(tenantId, token, now) {
      const plain = open(tenantId, Buffer.from(token, 'base64url'));
      if (!plain || plain.length <= FIXED_BYTES) return undefined;
      const endsAt = plain.readUIntBE(ID_BYTES + HASH_BYTES, END_BYTES) * 1000;
      const userId = parseUserId(plain.toString('utf8', FIXED_BYTES));
      if (!userId || endsAt <= now.getTime()) return undefined;
      return {
        id: plain.subarray(0, ID_BYTES),
        userId,
        secretHashHash: plain.subarray(ID_BYTES, ID_BYTES + HASH_BYTES),
      };
    },
  };
}

function hashOf(secretHash: string): Buffer {
  return sha256(secretHash).subarray(0, HASH_BYTES);
}
