import { promisify } from 'node:util';
import type { Fail } from '@keywright/contract/errors';
import type { TenantId, UserId } from '@keywright/contract/ids';
import {
  type AccountExport,
  EXPORT_HOURS,
  type ExportRecord,
} from '@keywright/contract/records/account-export';
import { seal, unseal } from '../../../platform/crypto/sealed.ts';
import { zlib } from '../../../platform/zlib.ts';
import { topic } from '../../../tenancy/after-commit.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { KeyRef, Room } from '../../../tenancy/jobs/definition.ts';
import { defineJobs, type Outcome } from '../../../tenancy/jobs/jobs.ts';
import { JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import { lockOneself } from '../users/index.ts';
import {
  type ExportJob,
  type ExportRow,
  findContent,
  findExport,
  insertExport,
  storeContent,
} from './account-store.ts';
import { collectContent, shorten } from './export-content.ts';

/** Longer than an export takes, which runs a few hundred statements. */
const LEASE_SECONDS = 60;
const DELAYS_MS = [5000, 60_000, 300_000];
const HOUR_MS = 60 * 60 * 1000;

/** Only a few at a time: each export reads a lot, and no request waits for it. */
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

/** Published when a tenant has due exports. */
const exportDue = topic<KeyRef>('an export to make');

/** Exports of account data, made in the background. */
export class ExportService {
  readonly #core: Core;
  readonly #queue: JobQueue<ExportJob>;
  #performAs: Router['performAs'] | undefined;

  constructor(core: Core) {
    this.#core = core;
    const jobs = defineJobs<ExportJob>(
      {
        name: 'account exports',
        table: 'account_exports',
        room: ROOM,
        leaseSeconds: LEASE_SECONDS,
        delaysMs: DELAYS_MS,
        run: (job) => this.#make(job),
      },
      core,
    );
    this.#queue = new JobQueue(jobs, core);
    core.afterCommit.subscribe(exportDue, (key) => this.#queue.wake(key));
  }

  /** The routes whose responses make up an export. They are bound before the service listens, and so before `start`. */
  useRoutes({ performAs }: Pick<Router, 'performAs'>): void {
    this.#performAs = performAs;
  }

  start(): void {
    this.#queue.start();
  }

  stop(): Promise<void> {
    return this.#queue.stop();
  }

  request(
    tenant: Tenant,
    caller: UserCaller,
    fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED'>,
  ): Promise<ExportRecord> {
    const { subject: userId, sessionId } = caller;
    return this.#core.gate.into(tenant.id).transaction(async (tx) => {
      await lockOneself(tx, caller, fail);
      const now = tx.now.getTime();
      const expiresAt = new Date(now + EXPORT_HOURS * HOUR_MS);
      const replaceBefore = new Date(now - HOUR_MS);
      const row = await insertExport(tx, { userId, sessionId, expiresAt, replaceBefore });
      if (!row) return present(tenant, (await findExport(tx, userId)) ?? fail('TOKEN_INVALID'));
      const target = { kind: 'user', id: userId } as const;
      await record(tx, caller, { action: 'user.export_requested', target, details: {} });
      tx.publish(exportDue, { tenantId: tenant.id, key: 'exports' });
      return present(tenant, row);
    });
  }

  async get(
    tenant: Tenant,
    { subject }: UserCaller,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<ExportRecord> {
    const data = this.#core.gate.into(tenant.id);
    const row = await data.transaction((tx) => findExport(tx, subject));
    return row ? present(tenant, row) : fail('NOT_FOUND');
  }

  async read(tenant: Tenant, caller: UserCaller, fail: Fail<'NOT_FOUND'>): Promise<AccountExport> {
    const { subject } = caller;
    const content = await this.#core.gate.into(tenant.id).transaction(async (tx) => {
      const found = (await findContent(tx, subject)) ?? fail('NOT_FOUND');
      const target = { kind: 'user', id: subject } as const;
      await record(tx, caller, { action: 'user.exported', target, details: {} });
      return found;
    });
    const packed = await this.#core.dataKeys.use(tenant.id, (key) =>
      unseal(key, content, placeOf(tenant.id, subject)),
    );
    const text = await promisify(zlib().gunzip)(packed);
    return JSON.parse(text.toString()) as AccountExport;
  }

  async #make(job: ExportJob): Promise<Outcome> {
    const { gate, dataKeys, directory, clock } = this.#core;
    const { tenant_id: tenantId, id } = job;
    const tenant = await directory.findById(tenantId);
    if (!tenant) return { outcome: 'failed', reason: 'The tenant is gone.' };
    if (!this.#performAs) throw new Error('Exports are made once routes are bound.');
    const whole = await collectContent(this.#performAs, tenant, job, clock.now());
    const text = JSON.stringify(shorten(whole));
    const packed = await promisify(zlib().gzip)(text);
    const content = await dataKeys.use(tenantId, (key) => seal(key, packed, placeOf(tenantId, id)));
    const bytes = Buffer.byteLength(text);
    await gate.into(tenantId).transaction((tx) => storeContent(tx, job, content, bytes));
    return { outcome: 'done' };
  }
}

function placeOf(tenantId: TenantId, userId: UserId): string {
  return `account_exports/${tenantId}/${userId}`;
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
