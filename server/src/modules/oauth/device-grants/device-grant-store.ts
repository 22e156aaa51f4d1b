import type {
  ConsentId,
  OAuthClientId,
  SessionId,
  TenantId,
  UserId,
  WorkspaceId,
} from '@keywright/contract/ids';
import { pollDevices } from '../../../../sql/oauth/kw_poll_devices.ts';
import { batched } from '../../../platform/db/batch.ts';
import { sortedBatch, writeTogether } from '../../../platform/db/writes.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';

/** Somebody who approves at the last moment leaves the device as long as a code lasts. */
const APPROVED_SECONDS = 60;

/** What a user allowed on a device. */
export interface ApprovedDevice {
  readonly userId: UserId;
  readonly workspaceId: WorkspaceId;
  /** The browser session in which they did. */
  readonly loginId: SessionId;
  readonly consent: { readonly id: ConsentId; readonly version: number };
  readonly scopes: readonly string[];
}

interface NewGrant {
  readonly id: Buffer;
  readonly userCodeHash: Buffer;
  readonly clientId: OAuthClientId;
  readonly scopes: readonly string[];
  readonly targets: readonly string[];
  readonly address: string;
  readonly lifetimeSeconds: number;
  readonly intervalSeconds: number;
}

/** @returns whether no other device has this user code */
export async function insertGrant(tx: TenantTx, grant: NewGrant): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('device_grants')
    .values({
      tenant_id: tx.tenantId,
      id: grant.id,
      user_code_hash: grant.userCodeHash,
      client_id: grant.clientId,
      scopes: [...grant.scopes],
      targets: [...grant.targets],
      ip_address: grant.address,
      created_at: tx.now,
      expires_at: later(tx, grant.lifetimeSeconds),
      interval_seconds: grant.intervalSeconds,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_code_hash']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** One that nobody has decided on. */
export async function findPending(tx: TenantTx, userCodeHash: Buffer) {
  const row = await tx.db
    .selectFrom('device_grants')
    .select(['id', 'client_id', 'scopes', 'targets', 'ip_address', 'created_at'])
    .where('tenant_id', '=', tx.tenantId)
    .where('user_code_hash', '=', userCodeHash)
    .where('state', '=', 'pending')
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, client_id: clientId, scopes, targets, ip_address: address, created_at } = row;
  return { id, clientId, scopes, targets, address, begunAt: created_at };
}

/** Whether this is what was decided: `before`, where a page is loaded again; `no`: it is too late. */
type Decision = 'now' | 'before' | 'no';

/** `before`: it was approved in the same browser session. */
export async function approve(
  tx: TenantTx,
  id: Buffer,
  { userId, workspaceId, loginId, consent, scopes }: ApprovedDevice,
): Promise<Decision> {
  const leastEnd = later(tx, APPROVED_SECONDS);
  const { numUpdatedRows } = await pending(tx, id)
    .set((row) => ({
      state: 'approved',
      user_id: userId,
      workspace_id: workspaceId,
      login_id: loginId,
      consent_id: consent.id,
      consent_version: consent.version,
      granted_scopes: [...scopes],
      expires_at: row.fn('greatest', ['expires_at', row.cast(row.val(leastEnd), 'timestamptz')]),
    }))
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return 'now';
  const decided = await findDecision(tx, id);
  return decided?.state === 'approved' && decided.login_id === loginId ? 'before' : 'no';
}

/** @returns `before`: it was denied already */
export async function deny(tx: TenantTx, id: Buffer): Promise<Decision> {
  const { numUpdatedRows } = await pending(tx, id).set({ state: 'denied' }).executeTakeFirst();
  if (numUpdatedRows === 1n) return 'now';
  return (await findDecision(tx, id))?.state === 'denied' ? 'before' : 'no';
}

function findDecision(tx: TenantTx, id: Buffer) {
  return tx.db
    .selectFrom('device_grants')
    .select(['state', 'login_id'])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
}

/** The row that decides between several users, and the end of the code. */
function pending(tx: TenantTx, id: Buffer) {
  return tx.db
    .updateTable('device_grants')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('expires_at', '>', tx.now);
}

interface Poll {
  readonly tenantId: TenantId;
  readonly id: Buffer;
  readonly clientId: OAuthClientId;
  readonly now: Date;
}

export type PolledRow =
  | { readonly outcome: 'pending' | 'too_soon' | 'denied' | 'expired' }
  | {
      readonly outcome: 'approved';
      readonly user_id: ApprovedDevice['userId'];
      readonly workspace_id: ApprovedDevice['workspaceId'];
      readonly login_id: ApprovedDevice['loginId'];
      readonly consent_id: ApprovedDevice['consent']['id'];
      readonly consent_version: number;
      readonly scopes: readonly string[];
      readonly targets: readonly string[];
    };

/** Concurrent ones, of any tenants, are one statement and one commit. */
export function createPollDevices(gate: Gate): (one: Poll) => Promise<PolledRow | null> {
  const pollAll = (some: readonly Poll[]) =>
    writeTogether(some, async (polls) => {
      const { sorted, unsorted } = sortedBatch(
        polls,
        ({ tenantId, id }) => `${tenantId} ${id.toString('hex')}`,
      );
      const [row] = await gate.callMany(pollDevices, {
        tenants: sorted.map((one) => one.tenantId),
        ids: sorted.map((one) => one.id),
        clients: sorted.map((one) => one.clientId),
        now: sorted.map((one) => one.now),
      });
      return unsorted(row?.answer as unknown as (PolledRow | null)[]);
    });
  return batched(pollAll, { size: 64, flights: 2 });
}

function later({ now }: TenantTx, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
