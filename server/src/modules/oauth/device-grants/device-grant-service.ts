import { randomBytes } from 'node:crypto';
import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { AuditKeys } from '../../../tenancy/audit-keys.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import { counted } from '../../../tenancy/counters.ts';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';
import { createIsExhausted, type IsExhausted } from '../../authentication/attempts/index.ts';
import { type Actor, record } from '../../events/journal/index.ts';
import {
  type ApprovedDevice,
  approve,
  createPollDevices,
  deny,
  findPending,
  insertGrant,
  type PolledRow,
} from './device-grant-store.ts';
import { newUserCode, readUserCode, userCodeHash, WRONG_CODES, writtenCode } from './user-codes.ts';

/** Of both codes, until somebody has decided (RFC 8628 §3.2). */
const LIFETIME_SECONDS = 600;
/** Between two questions of a device. */
const INTERVAL_SECONDS = 5;
/** Codes are random: that of another device is drawn about once in a lifetime. */
const MOST_DRAWS = 3;
const DEVICE_CODE = /^[A-Za-z0-9_-]{43}$/;

/** What a device asks for. */
interface NewDevice {
  readonly clientId: OAuthClientId;
  readonly scopes: readonly string[];
  readonly targets: readonly string[];
  readonly from: Origin;
}

/** The codes of a device. */
interface BegunDevice {
  readonly deviceCode: string;
  /** As people read it. */
  readonly userCode: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

/** A device that waits for somebody to decide. */
export interface PendingDevice {
  /** In base64url. */
  readonly id: string;
  readonly userCode: string;
  readonly clientId: OAuthClientId;
  readonly scopes: readonly string[];
  readonly targets: readonly string[];
  readonly address: string;
  readonly begunAt: Date;
}

/** What a device that asks for its tokens is told. */
type Polled =
  | { readonly outcome: 'unknown' | 'pending' | 'too_soon' | 'denied' | 'expired' }
  | ({
      readonly outcome: 'approved';
      /** Of the device code. */
      readonly codeHash: Buffer;
      readonly targets: readonly string[];
    } & ApprovedDevice);

/** Logins that were begun on devices without a browser (RFC 8628). */
export interface DeviceGrants {
  begin(tenantId: TenantId, device: NewDevice): Promise<BegunDevice>;
  /** By what somebody has typed; undefined if there is no such device, or it is too late. */
  find(tenantId: TenantId, typed: string): Promise<PendingDevice | undefined>;
  /** The row decides, once. @returns whether it is approved, now or in the same browser session before */
  approve(data: TenantData, by: Actor, device: Decided, allowed: ApprovedDevice): Promise<boolean>;
  /** @returns whether it is denied */
  deny(data: TenantData, by: Actor, device: Decided): Promise<boolean>;
  poll(tenantId: TenantId, clientId: OAuthClientId, deviceCode: string): Promise<Polled>;
}

/** What is decided about. */
type Decided = Pick<PendingDevice, 'id' | 'clientId'>;

export function createDeviceGrants(
  gate: Gate,
  clock: Clock,
  auditKeys: Pick<AuditKeys, 'find'>,
): DeviceGrants {
  const poll = createPollDevices(gate);

  const hashOf: HashOf = (tenantId, code) => userCodeHash(auditKeys, tenantId, code);
  const isGuessed = createIsExhausted(gate, clock, counted('user codes of tenant'), WRONG_CODES);
  const draw = createDraw(gate, hashOf, isGuessed);

  return {
    async begin(tenantId, device) {
      const { deviceCode, userCode } = await draw(tenantId, device);
      return {
        deviceCode,
        userCode: writtenCode(userCode),
        expiresInSeconds: LIFETIME_SECONDS,
        intervalSeconds: INTERVAL_SECONDS,
      };
    },
    async find(tenantId, typed) {
      const code = readUserCode(typed);
      if (code === undefined) return undefined;
      const hash = await hashOf(tenantId, code);
      const row = await gate.into(tenantId).transaction((tx) => findPending(tx, hash));
      return row && { ...row, id: row.id.toString('base64url'), userCode: writtenCode(code) };
    },
    approve: (data, by, device, allowed) =>
      data.transaction(async (tx) => {
        const decided = await approve(tx, Buffer.from(device.id, 'base64url'), allowed);
        if (decided === 'now') await recordDecision(tx, by, device, 'device.approved');
        return decided !== 'no';
      }),
    deny: (data, by, device) =>
      data.transaction(async (tx) => {
        const decided = await deny(tx, Buffer.from(device.id, 'base64url'));
        if (decided === 'now') await recordDecision(tx, by, device, 'device.denied');
        return decided !== 'no';
      }),
    async poll(tenantId, clientId, deviceCode) {
      if (!DEVICE_CODE.test(deviceCode)) return { outcome: 'unknown' };
      const id = sha256(deviceCode);
      return polledOf(id, await poll({ tenantId, id, clientId, now: clock.now() }));
    },
  };
}

interface Drawn {
  readonly deviceCode: string;
  readonly userCode: string;
}

type HashOf = (tenantId: TenantId, code: string) => Promise<Buffer>;

/** Draws codes for a device until no other device has its user code. */
function createDraw(gate: Gate, hashOf: HashOf, isGuessed: IsExhausted) {
  return async function draw(
    tenantId: TenantId,
    device: NewDevice,
    draws = MOST_DRAWS,
  ): Promise<Drawn> {
    const deviceCode = randomBytes(32).toString('base64url');
    const userCode = newUserCode(await isGuessed(tenantId));
    const codes = { id: sha256(deviceCode), userCodeHash: await hashOf(tenantId, userCode) };
    const times = { lifetimeSeconds: LIFETIME_SECONDS, intervalSeconds: INTERVAL_SECONDS };
    const given = { ...codes, ...device, address: device.from.address, ...times };
    const isNew = await gate.into(tenantId).transaction((tx) => insertGrant(tx, given));
    if (isNew) return { deviceCode, userCode };
    if (draws === 1) throw new Error('Each user code that was drawn is one of another device.');
    return draw(tenantId, device, draws - 1);
  };
}

function polledOf(codeHash: Buffer, row: PolledRow | null): Polled {
  if (!row) return { outcome: 'unknown' };
  if (row.outcome !== 'approved') return { outcome: row.outcome };
  return {
    outcome: 'approved',
    codeHash,
    targets: row.targets,
    userId: row.user_id,
    workspaceId: row.workspace_id,
    loginId: row.login_id,
    consent: { id: row.consent_id, version: row.consent_version },
    scopes: row.scopes,
  };
}

function recordDecision(
  tx: Parameters<typeof record>[0],
  by: Actor,
  { clientId }: Decided,
  action: 'device.approved' | 'device.denied',
) {
  return record(tx, by, { action, target: { kind: 'client', id: clientId }, events: [] });
}
