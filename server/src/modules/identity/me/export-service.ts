import { promisify } from 'node:util';
import type { Fail } from '@keywright/contract/errors';
import type { TenantId, UserId } from '@keywright/contract/ids';
import {
  type AccountExport,
  EXPORT_HOURS,
  type ExportRecord,
} from '@keywright/contract/records/account-export';
import type { Clock } from '../../../platform/clock.ts';
import { seal, unseal } from '../../../platform/crypto/sealed.ts';
import type { Log } from '../../../platform/log.ts';
import { zlib } from '../../../platform/zlib.ts';
import { type AfterCommit, topic } from '../../../tenancy/after-commit.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { KeyRef, Room } from '../../../tenancy/jobs/definition.ts';
import { defineJobs, type JobKind, type Outcome } from '../../../tenancy/jobs/jobs.ts';
import type { Poller } from '../../../tenancy/jobs/poller.ts';
import { createJobQueue, type JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import { lockOneself } from '../users/index.ts';
import {
  type ExportJob,
  storeContent,
  type ExportRow,
  findContent,
  findExport,
  insertExport,
} from './account-store.ts';
import { fitting } from './export-content.ts';

/** Longer than one takes: some hundred statements. */
const LEASE_SECONDS = 60;
const DELAYS_MS = [5000, 60_000, 300_000];

/** Few at once: each reads a lot, and nobody waits for it. */
const ROOM: Room = {
  all: 4,
  ofTenant: 2,
  ofKey: 2,
  atFirst: 1,
  whileFailing: 1,
  troubled: 2,
  troubledOfTenant: 1,
  waitingOfKey: 10,
  waiting: 100,
};

/** Exports of a tenant are to be made. */
const exportToMake = topic<KeyRef>('an export to make');

interface QueueDependencies {
  readonly system: SystemData;
  readonly afterCommit: AfterCommit;
  readonly clock: Clock;
  readonly log: Log;
  readonly poller: Poller;
}

/** Makes exports, on this node. */
export function createExportQueue(
  dependencies: QueueDependencies,
  run: MakeExport,
): JobQueue<ExportJob> {
  const { afterCommit } = dependencies;
  const kind: JobKind<ExportJob> = {
    name: 'account exports',
    table: 'account_exports',
    room: ROOM,
    leaseSeconds: LEASE_SECONDS,
    delaysMs: DELAYS_MS,
    run,
  };
  const queue = createJobQueue(defineJobs(kind, dependencies), dependencies);
  afterCommit.subscribe(exportToMake, (key) => queue.wake(key));
  return queue;
}

interface Dependencies {
  readonly gate: Gate;
  readonly dataKeys: DataKeys;
  readonly directory: TenantDirectory;
  readonly collect: (tenant: Tenant, job: ExportJob) => Promise<AccountExport>;
}

type MakeExport = (job: ExportJob) => Promise<Outcome>;

export function createMakeExport(dependencies: Dependencies): MakeExport {
  const { gate, dataKeys, directory, collect } = dependencies;
  return async (job) => {
    const { tenant_id: tenantId, id } = job;
    const tenant = await directory.findById(tenantId);
    if (!tenant) return { outcome: 'failed', reason: 'The tenant is gone.' };
    const text = JSON.stringify(fitting(await collect(tenant, job)));
    const packed = await promisify(zlib().gzip)(text);
    const content = await dataKeys.use(tenantId, (key) => seal(key, packed, placeOf(tenantId, id)));
    const bytes = Buffer.byteLength(text);
    await gate.into(tenantId).transaction((tx) => storeContent(tx, job, content, bytes));
    return { outcome: 'done' };
  };
}

async function openContent(
  dataKeys: DataKeys,
  tenantId: TenantId,
  userId: UserId,
  content: Buffer,
): Promise<AccountExport> {
  const packed = await dataKeys.use(tenantId, (key) =>
    unseal(key, content, placeOf(tenantId, userId)),
  );
  const text = await promisify(zlib().gunzip)(packed);
  return JSON.parse(text.toString()) as AccountExport;
}

function placeOf(tenantId: TenantId, userId: UserId): string {
  return `account_exports/${tenantId}/${userId}`;
}

export interface OwnDataDependencies {
  readonly gate: Gate;
  readonly dataKeys: DataKeys;
}

const HOUR_MS = 60 * 60 * 1000;

export function requestExport(
  { gate }: OwnDataDependencies,
  tenant: Tenant,
  caller: UserCaller,
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED'>,
): Promise<ExportRecord> {
  const { subject: userId, sessionId } = caller;
  return gate.into(tenant.id).transaction(async (tx) => {
    await lockOneself(tx, caller, fail);
    const now = tx.now.getTime();
    const expiresAt = new Date(now + EXPORT_HOURS * HOUR_MS);
    const keptSince = new Date(now - HOUR_MS);
    const row = await insertExport(tx, { userId, sessionId, expiresAt, keptSince });
    if (!row) return present(tenant, (await findExport(tx, userId)) ?? fail('TOKEN_INVALID'));
    const target = { kind: 'user', id: userId } as const;
    await record(tx, caller, { action: 'user.export_requested', target, details: {} });
    tx.publish(exportToMake, { tenantId: tenant.id, key: 'exports' });
    return present(tenant, row);
  });
}

export async function getExport(
  { gate }: OwnDataDependencies,
  tenant: Tenant,
  { subject }: UserCaller,
  fail: Fail<'NOT_FOUND'>,
): Promise<ExportRecord> {
  const row = await gate.into(tenant.id).transaction((tx) => findExport(tx, subject));
  return row ? present(tenant, row) : fail('NOT_FOUND');
}

export async function readExport(
  { gate, dataKeys }: OwnDataDependencies,
  tenant: Tenant,
  caller: UserCaller,
  fail: Fail<'NOT_FOUND'>,
): Promise<AccountExport> {
  const { subject } = caller;
  const content = await gate.into(tenant.id).transaction(async (tx) => {
    const found = (await findContent(tx, subject)) ?? fail('NOT_FOUND');
    const target = { kind: 'user', id: subject } as const;
    await record(tx, caller, { action: 'user.exported', target, details: {} });
    return found;
  });
  return openContent(dataKeys, tenant.id, subject, content);
}

function present({ id: tenantId }: Tenant, row: ExportRow): ExportRecord {
  const { id, status, bytes, created_at: at, expires_at: until } = row;
  const states = {
    pending: 'pending',
    done: 'ready',
    failed: 'failed',
    expired: 'failed',
  } as const;
  return {
    user_id: id,
    tenant_id: tenantId,
    status: states[status],
    bytes,
    created_at: at.toISOString(),
    expires_at: until.toISOString(),
  };
}
