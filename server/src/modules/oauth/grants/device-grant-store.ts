import type {
  ConsentId,
  OAuthClientId,
  SessionId,
  TenantId,
  UserId,
  WorkspaceId,
} from '@keywright/contract/ids';
import { noteDevicePolls } from '../../../../sql/oauth/kw_note_device_polls.ts';
import { pollDevice, type PollDeviceRow } from '../../../../sql/oauth/kw_poll_device.ts';
import { writeTogether } from '../../../platform/db/calls.ts';
import { isUnavailable } from '../../../platform/db/failures.ts';
import { from, type Gate, type TenantTx, update } from '../../../tenancy/gate.ts';

/** The minimum time to exchange the device code after an approval: the lifetime of an authorization code. */
const MIN_SECONDS_AFTER_APPROVAL = 60;

/** The grant of a user to a device. */
export interface ApprovedDevice {
  readonly userId: UserId;
  readonly workspaceId: WorkspaceId;
  /** The browser session of the approval. */
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

/** @returns whether the user code was free */
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

/** @returns undefined if the grant is decided or has expired */
export async function findPendingGrant(tx: TenantTx, userCodeHash: Buffer) {
  const row = await from(tx, 'device_grants')
    .select(['id', 'client_id', 'scopes', 'targets', 'ip_address', 'created_at'])
    .where('user_code_hash', '=', userCodeHash)
    .where('state', '=', 'pending')
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, client_id: clientId, scopes, targets, ip_address: address, created_at } = row;
  return { id, clientId, scopes, targets, address, startedAt: created_at };
}

/**
 * `decided`: by this call. `already_decided`: the same decision by an earlier call, such as before the page was
 * reloaded. `too_late`: another decision, or the grant has expired.
 */
type Decision = 'decided' | 'already_decided' | 'too_late';

/** An earlier approval counts only if it was made in the same browser session. */
export async function approveGrant(
  tx: TenantTx,
  id: Buffer,
  { userId, workspaceId, loginId, consent, scopes }: ApprovedDevice,
): Promise<Decision> {
  const leastEnd = later(tx, MIN_SECONDS_AFTER_APPROVAL);
  const { numUpdatedRows } = await updatePending(tx, id)
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
  if (numUpdatedRows === 1n) return 'decided';
  const row = await findDecision(tx, id);
  const isSame = row?.state === 'approved' && row.login_id === loginId;
  return isSame ? 'already_decided' : 'too_late';
}

export async function denyGrant(tx: TenantTx, id: Buffer): Promise<Decision> {
  const { numUpdatedRows } = await updatePending(tx, id)
    .set({ state: 'denied' })
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return 'decided';
  return (await findDecision(tx, id))?.state === 'denied' ? 'already_decided' : 'too_late';
}

function findDecision(tx: TenantTx, id: Buffer) {
  return from(tx, 'device_grants')
    .select(['state', 'login_id'])
    .where('id', '=', id)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
}

/** Updates the row only while it is undecided and unexpired, which resolves races between users and the expiry. */
function updatePending(tx: TenantTx, id: Buffer) {
  return update(tx, 'device_grants')
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('expires_at', '>', tx.now);
}

export interface DevicePoll {
  readonly tenantId: TenantId;
  readonly id: Buffer;
  readonly clientId: OAuthClientId;
  readonly now: Date;
}

/** A poll that `kw_note_device_polls` noted has no other fields. */
export type PolledGrant = PollDeviceRow | { readonly outcome: 'pending' };

/** @returns the state of the grant for each poll; undefined if the client has no such grant */
export async function pollGrants(gate: Gate, polls: readonly DevicePoll[]) {
  const items = polls.map(({ tenantId: tenant, id, clientId: client, now }) => ({
    tenant,
    id,
    client,
    now,
  }));
  const places = await notePolls(gate, items);
  const others = items.filter((_, index) => !places.has(index + 1));
  // A noted poll has succeeded, so a failure concerns only the others.
  const polled = await pollEach(gate, others).catch((error: unknown) =>
    others.map(() => Promise.reject<PolledGrant | undefined>(error)),
  );
  const rest = polled.values();
  return items.map((_, index) => (places.has(index + 1) ? PENDING : rest.next().value));
}

const PENDING = { outcome: 'pending' } as const;

type PollItem = Parameters<typeof pollDevice.values>[0][number];

/** Notes the polls of waiting devices, with one update for each tenant. @returns their positions, from 1 */
async function notePolls(gate: Gate, items: readonly PollItem[]): Promise<ReadonlySet<number>> {
  const tenants = items.map(({ tenant }) => tenant);
  const [first] = items;
  // With fewer than two polls per tenant, an update for each poll costs less (ADR 89).
  if (!first || new Set(tenants).size * 2 > items.length) return new Set();
  const call = gate.callMany(noteDevicePolls, {
    tenants,
    ids: items.map(({ id }) => id),
    clients: items.map(({ client }) => client),
    now: first.now,
  });
  const [noted] = await call.catch((error: unknown) => {
    if (isUnavailable(error)) throw error;
    // Nothing was noted. Each poll is then written separately, so that one failure does not affect the others.
    return [];
  });
  return new Set(noted?.answer);
}

async function pollEach(gate: Gate, items: readonly PollItem[]) {
  if (items.length === 0) return [];
  return writeTogether(items, async (batch) => {
    const polled = await gate.callEach(pollDevice, batch);
    return polled.map(([row]): PolledGrant | undefined => row);
  });
}

function later({ now }: TenantTx, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
