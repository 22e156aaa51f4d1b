import { randomBytes } from 'node:crypto';
import { ID_PREFIX, parseUserId, type TenantId, type UserId } from '@keywright/contract/ids';
import { seal, unseal } from '../../../platform/crypto/sealed.ts';
import type { Cookie } from '../../../platform/http/pages/cookies.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';

/** A device stays known this long after its last login. */
const LIFE_SECONDS = 90 * 24 * 60 * 60;
const ID_BYTES = 16;
const VERSION_BYTES = 4;
const END_BYTES = 6;
const FIXED_BYTES = ID_BYTES + VERSION_BYTES + END_BYTES;
/** All user IDs are equally long. */
const USER_BYTES = ID_PREFIX.user.length + 26;

/** A device that a user logged in from before. */
export interface KnownDevice {
  readonly id: Buffer;
  readonly userId: UserId;
  /** `users.auth_version` at that time: a different one now means that the user has changed their credentials. */
  readonly authVersion: number;
}

/** A user who has proven something, in their current version. */
interface DeviceUser {
  readonly userId: UserId;
  readonly authVersion: number;
}

/** Whether the user has logged in from the device, and has not changed their credentials since then. */
export function isDeviceOf(device: KnownDevice | undefined, user: DeviceUser): boolean {
  return device?.userId === user.userId && device.authVersion === user.authVersion;
}

/**
 * Tokens that identify a device that its user logged in from before. They are encrypted for their tenant, so that only
 * this service can create, read or change them; they are not stored in the database.
 */
export interface DeviceTokens {
  /** @param known the device, if it has presented an older token */
  issue(tenantId: TenantId, user: DeviceUser, known: KnownDevice | undefined, now: Date): string;
  /** Undefined if there is none, or if it belongs to another tenant, has expired, or is not such a token. */
  read(tenantId: TenantId, token: string | undefined, now: Date): KnownDevice | undefined;
  /** A known device, or none, as part of the secret of a flow. The result does not reveal which. */
  sealForFlow(tenantId: TenantId, known: KnownDevice | undefined): string;
  /** The device that `sealForFlow` has sealed. */
  openOfFlow(tenantId: TenantId, sealed: string): KnownDevice | undefined;
}

export function createDeviceTokens(masterKeys: MasterKeys): DeviceTokens {
  const keys = masterKeys.derive('device tokens');
  const [newest] = keys;
  if (!newest) throw new Error('There is no master key.');
  const place = (tenantId: TenantId) => `device tokens of ${tenantId}`;
  const flowPlace = (tenantId: TenantId) => `devices of flows of ${tenantId}`;

  function open(belongsTo: string, sealed: Buffer): Buffer | undefined {
    for (const key of keys) {
      try {
        return unseal(key, sealed, belongsTo);
      } catch {
        // Encrypted with another key, or forged.
      }
    }
    return undefined;
  }

  return {
    issue(tenantId, { userId, authVersion }, known, now) {
      const version = Buffer.alloc(VERSION_BYTES);
      version.writeInt32BE(authVersion);
      const end = Buffer.alloc(END_BYTES);
      end.writeUIntBE(Math.floor(now.getTime() / 1000) + LIFE_SECONDS, 0, END_BYTES);
      const id = known?.userId === userId ? known.id : randomBytes(ID_BYTES);
      const plain = Buffer.concat([id, version, end, Buffer.from(userId)]);
      return seal(newest, plain, place(tenantId)).toString('base64url');
    },
    read(tenantId, token, now) {
      const plain =
        token === undefined ? undefined : open(place(tenantId), Buffer.from(token, 'base64url'));
      if (!plain || plain.length <= FIXED_BYTES) return undefined;
      const endsAt = plain.readUIntBE(ID_BYTES + VERSION_BYTES, END_BYTES) * 1000;
      const userId = parseUserId(plain.toString('utf8', FIXED_BYTES));
      if (!userId || endsAt <= now.getTime()) return undefined;
      return {
        id: plain.subarray(0, ID_BYTES),
        userId,
        authVersion: plain.readInt32BE(ID_BYTES),
      };
    },
    sealForFlow: (tenantId, known) =>
      seal(newest, deviceBytes(known), flowPlace(tenantId)).toString('base64url'),
    openOfFlow(tenantId, sealed) {
      const plain = open(flowPlace(tenantId), Buffer.from(sealed, 'base64url'));
      return plain && deviceOfBytes(plain);
    },
  };
}

/**
 * The cookie with which a browser stays a known device of the user who logged in on a page. A logout keeps it; the next login
 * replaces it, even that of another user.
 */
export function deviceCookie(token: string): Cookie<'device'> {
  return { name: 'device', value: token, maxAgeSeconds: LIFE_SECONDS };
}

/** Equally long without a device. */
function deviceBytes(known: KnownDevice | undefined): Buffer {
  const plain = Buffer.alloc(ID_BYTES + VERSION_BYTES + USER_BYTES);
  if (!known) return plain;
  known.id.copy(plain);
  plain.writeInt32BE(known.authVersion, ID_BYTES);
  plain.write(known.userId, ID_BYTES + VERSION_BYTES);
  return plain;
}

function deviceOfBytes(plain: Buffer): KnownDevice | undefined {
  const userId = parseUserId(plain.toString('utf8', ID_BYTES + VERSION_BYTES));
  if (!userId) return undefined;
  return { id: plain.subarray(0, ID_BYTES), userId, authVersion: plain.readInt32BE(ID_BYTES) };
}
