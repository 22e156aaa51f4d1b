import { randomBytes } from 'node:crypto';
import { ID_PREFIX, parseUserId, type TenantId, type UserId } from '@keywright/contract/ids';
import { seal, sha256, unseal } from '../../../platform/crypto/sealed.ts';
import type { Cookie } from '../../../platform/http/pages/cookies.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Notices, RequestingDevice } from '../../events/messages/index.ts';
import { hasLoggedInBefore } from '../../tokens/sessions/index.ts';

/** How long a device remains known after its last login. */
export const LIFE_SECONDS = 90 * 24 * 60 * 60;
const ID_BYTES = 16;
const VERSION_BYTES = 4;
const END_BYTES = 6;
const FIXED_BYTES = ID_BYTES + VERSION_BYTES + END_BYTES;
/** All user IDs have the same length. */
const USER_BYTES = ID_PREFIX.user.length + 26;

/** A device on which a user has logged in before. */
export interface KnownDevice {
  readonly id: Buffer;
  readonly userId: UserId;
  /** `users.auth_version` at that time: if it differs now, the user has changed their credentials. */
  readonly authVersion: number;
}

/** A user who has proven something, in their current version. */
interface DeviceUser {
  readonly userId: UserId;
  readonly authVersion: number;
}

/** Whether the user has logged in on the device, without changing credentials since. */
export function isDeviceOf(device: KnownDevice | undefined, user: DeviceUser): boolean {
  return device?.userId === user.userId && device.authVersion === user.authVersion;
}

/**
 * Issues tokens that identify a device by an earlier login of its user. They are encrypted for their tenant, so that
 * only this service can create, read or change them; they are not stored in the database.
 */
export class DeviceTokens {
  /** The newest first. */
  readonly #keys: readonly Buffer[];
  readonly #newest: Buffer;

  constructor(masterKeys: MasterKeys) {
    this.#keys = masterKeys.derive('device tokens');
    const [newest] = this.#keys;
    if (!newest) throw new Error('There is no master key.');
    this.#newest = newest;
  }

  /** @param device the device, if it has presented an older token */
  issue(
    tenantId: TenantId,
    { userId, authVersion }: DeviceUser,
    device: KnownDevice | undefined,
    now: Date,
  ): string {
    const version = Buffer.alloc(VERSION_BYTES);
    version.writeInt32BE(authVersion);
    const end = Buffer.alloc(END_BYTES);
    end.writeUIntBE(Math.floor(now.getTime() / 1000) + LIFE_SECONDS, 0, END_BYTES);
    const id = device?.userId === userId ? device.id : randomBytes(ID_BYTES);
    const plain = Buffer.concat([id, version, end, Buffer.from(userId)]);
    return seal(this.#newest, plain, purposeOf(tenantId)).toString('base64url');
  }

  /** @returns undefined without a token, or if the token belongs to another tenant, has expired or is malformed */
  read(tenantId: TenantId, token: string | undefined, now: Date): KnownDevice | undefined {
    if (token === undefined) return undefined;
    const plain = this.#unseal(purposeOf(tenantId), Buffer.from(token, 'base64url'));
    if (!plain || plain.length <= FIXED_BYTES) return undefined;
    const endsAt = plain.readUIntBE(ID_BYTES + VERSION_BYTES, END_BYTES) * 1000;
    const userId = parseUserId(plain.toString('utf8', FIXED_BYTES));
    if (!userId || endsAt <= now.getTime()) return undefined;
    return {
      id: plain.subarray(0, ID_BYTES),
      userId,
      authVersion: plain.readInt32BE(ID_BYTES),
    };
  }

  /** Seals a known device, or none, as part of a flow's token. The result does not reveal which. */
  sealForFlow(tenantId: TenantId, device: KnownDevice | undefined): string {
    const plain = serializeDevice(device);
    return seal(this.#newest, plain, purposeInFlow(tenantId)).toString('base64url');
  }

  /** Reads the device sealed by `sealForFlow`. */
  readOfFlow(tenantId: TenantId, sealed: string): KnownDevice | undefined {
    const plain = this.#unseal(purposeInFlow(tenantId), Buffer.from(sealed, 'base64url'));
    return plain && parseDevice(plain);
  }

  #unseal(purpose: string, sealed: Buffer): Buffer | undefined {
    for (const key of this.#keys) {
      try {
        return unseal(key, sealed, purpose);
      } catch {
        // Encrypted with another key, or forged.
      }
    }
    return undefined;
  }
}

function purposeOf(tenantId: TenantId): string {
  return `device tokens of ${tenantId}`;
}

function purposeInFlow(tenantId: TenantId): string {
  return `devices of flows of ${tenantId}`;
}

/** The result has the same length with or without a device. */
function serializeDevice(device: KnownDevice | undefined): Buffer {
  const plain = Buffer.alloc(ID_BYTES + VERSION_BYTES + USER_BYTES);
  if (!device) return plain;
  device.id.copy(plain);
  plain.writeInt32BE(device.authVersion, ID_BYTES);
  plain.write(device.userId, ID_BYTES + VERSION_BYTES);
  return plain;
}

function parseDevice(plain: Buffer): KnownDevice | undefined {
  const userId = parseUserId(plain.toString('utf8', ID_BYTES + VERSION_BYTES));
  if (!userId) return undefined;
  return { id: plain.subarray(0, ID_BYTES), userId, authVersion: plain.readInt32BE(ID_BYTES) };
}

/**
 * The cookie that makes a browser a known device of the user who logged in on a page. A logout does not remove it; the
 * next login replaces it, even if another user logs in.
 */
export function deviceCookie(token: string): Cookie<'device'> {
  return { name: 'device', value: token, maxAgeSeconds: LIFE_SECONDS };
}

const FLOW_TOKEN_PREFIX = 'lft_';
const FLOW_TOKEN_BYTES = 32;
const DERIVED_BYTES = 16;

/** Creates the token of a new flow, with 256 random bits. @param sealedDevice the known device, for the next steps */
export function newFlowToken(sealedDevice?: string): string {
  const token = `${FLOW_TOKEN_PREFIX}${randomBytes(FLOW_TOKEN_BYTES).toString('base64url')}`;
  return sealedDevice === undefined ? token : `${token}.${sealedDevice}`;
}

/** The values derived from a flow's token: they identify the flow, and start its session. */
export interface FlowSecret {
  readonly hash: Buffer;
  /**
   * ID of the refresh token that the flow leads to: a client with the token of the flow can receive the refresh token
   * again, although it is not stored.
   */
  readonly jti: string;
  /** ID of the device, if this is its first login. */
  readonly deviceId: Buffer;
  /** The known device that started the flow. It belongs to the flow's user if the user's ID and version are equal. */
  readonly device: KnownDevice | undefined;
}

export function flowSecretOf(
  deviceTokens: Pick<DeviceTokens, 'readOfFlow'>,
  tenantId: TenantId,
  token: string,
): FlowSecret {
  const [, sealed] = token.split('.');
  const derive = (what: string) => sha256(`${what} of flow ${token}`).subarray(0, DERIVED_BYTES);
  return {
    hash: flowTokenHash(token),
    jti: derive('refresh token').toString('base64url'),
    deviceId: derive('device'),
    device: sealed === undefined ? undefined : deviceTokens.readOfFlow(tenantId, sealed),
  };
}

/** The part of a flow token that is stored. */
export function flowTokenHash(token: string): Buffer {
  return sha256(`flow token ${token}`);
}

/** Notices of logins on new devices. */
export class NewDevices {
  readonly #gate: Gate;
  readonly #notices: Notices;

  constructor(gate: Gate, notices: Notices) {
    this.#gate = gate;
    this.#notices = notices;
  }

  /** Whether the user has not logged in on the device with their current credentials. */
  isNew(device: KnownDevice | undefined, user: DeviceUser): boolean {
    return !isDeviceOf(device, user);
  }

  /** Notifies a user of a login on an unknown device, after its session was opened. */
  async notify(tenant: Tenant, userId: UserId, device: RequestingDevice): Promise<void> {
    const { notify_new_device: isOn, refresh_token_absolute_ttl: lifeSeconds } = tenant.config;
    if (!isOn || !tenant.sendsMail) return;
    await this.#gate.into(tenant.id).transaction(async (tx) => {
      if (!(await hasLoggedInBefore(tx, userId, lifeSeconds))) return;
      await this.#notices.notify(tx, tenant, { userId, kind: 'notice.new_device', device });
    });
  }
}
