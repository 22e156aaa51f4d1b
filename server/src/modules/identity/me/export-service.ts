import { promisify } from 'node:util';
import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_WORKSPACE, type TenantId, type UserId } from '@keywright/contract/ids';
import {
  type AccountExport,
  EXPORTED_LISTS,
  EXPORT_HOURS,
  type ExportRecord,
  type ExportedList,
  MOST_EXPORTED,
} from '@keywright/contract/records/account-export';
import type { UserRecord } from '@keywright/contract/records/user';
import type { OkOf, Route } from '@keywright/contract/route';
import { listOwnLog } from '@keywright/contract/routes/audit';
import { listOwnConsents } from '@keywright/contract/routes/consents';
import { listDelegations } from '@keywright/contract/routes/delegations';
import { listFactors } from '@keywright/contract/routes/factors';
import { listIdentities } from '@keywright/contract/routes/identities';
import { getMe } from '@keywright/contract/routes/me';
import { listOwnInvitations } from '@keywright/contract/routes/own-invitations';
import { listOwnWorkspaces } from '@keywright/contract/routes/own-workspaces';
import { getProfile } from '@keywright/contract/routes/profile';
import { listSessions } from '@keywright/contract/routes/sessions';
import { seal, unseal } from '../../../platform/crypto/sealed.ts';
import { zlib } from '../../../platform/zlib.ts';
import { topic } from '../../../tenancy/after-commit.ts';
import { type UserCaller, userCallerOf } from '../../../tenancy/caller.ts';
import type { KeyRef, Room } from '../../../tenancy/jobs/definition.ts';
import { type Outcome, defineJobs } from '../../../tenancy/jobs/jobs.ts';
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
    if (!tenant) return { outcome: 'failed', reason: { code: 'tenant_gone' } };
    if (!this.#performAs) throw new Error('Exports need routes to be bound first.');
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

type PerformAs = Router['performAs'];

/** An export has no device, because the service itself makes the requests. */
const DEVICE = { from: { address: '', requestId: '' }, userAgent: null };

/** Calls a route as the user. */
type CallRoute = (route: Route, query: object) => Promise<unknown>;

interface Page {
  readonly items: unknown[];
  readonly meta: { readonly total: number; readonly next_cursor?: string };
}

/** Everything that users can read about their account. API routes return it, so it exposes nothing they hide. */
async function collectContent(
  performAs: PerformAs,
  tenant: Tenant,
  { id: userId, session_id: sessionId }: Pick<ExportJob, 'id' | 'session_id'>,
  now: Date,
): Promise<AccountExport> {
  const login = { userId, sessionId, workspaceId: DEFAULT_WORKSPACE, authTime: now };
  const caller = userCallerOf(tenant, { ...login, acr: 'aal1', expiresAt: now }, DEVICE.from);
  const call: CallRoute = (route, query) =>
    performAs(route, { tenant, caller, device: DEVICE, params: {}, query, body: undefined });
  const shortened: ExportedList[] = [];
  const whole = async <const R extends Route>(route: R, name: ExportedList) => {
    const { items, isWhole } = await readAll(call, route);
    if (!isWhole) shortened.push(name);
    return items as ItemsOf<R>;
  };
  return {
    tenant_id: tenant.id,
    exported_at: now.toISOString(),
    shortened,
    user: (await call(getMe, {})) as UserRecord,
    profile: (await call(getProfile, {})) as OkOf<typeof getProfile>,
    factors: await whole(listFactors, 'factors'),
    identities: await whole(listIdentities, 'identities'),
    sessions: await whole(listSessions, 'sessions'),
    consents: await whole(listOwnConsents, 'consents'),
    delegations: await whole(listDelegations, 'delegations'),
    workspaces: await whole(listOwnWorkspaces, 'workspaces'),
    invitations: await whole(listOwnInvitations, 'invitations'),
    log: await whole(listOwnLog, 'log'),
  };
}

type ItemsOf<R extends Route> = OkOf<R> extends { readonly items: infer Items } ? Items : never;

const PAGE = 100;

/** Reads a list by cursor, or by page number if it has no cursors; such lists are short. */
async function readAll(
  call: CallRoute,
  route: Route,
): Promise<{ readonly items: unknown[]; readonly isWhole: boolean }> {
  const items: unknown[] = [];
  for (let page = 1, cursor: string | undefined; items.length < MOST_EXPORTED; page += 1) {
    const at = cursor === undefined ? { page } : { cursor };
    const read = (await call(route, { limit: PAGE, ...at })) as Page;
    items.push(...read.items);
    cursor = read.meta.next_cursor;
    const isLast = cursor === undefined && items.length >= read.meta.total;
    if (isLast || read.items.length === 0) return { items, isWhole: true };
  }
  return { items, isWhole: false };
}

const LARGEST_BYTES = 4 * 1024 * 1024;

/**
 * Halves the longest list until the whole is small enough. Its last entries, which are the oldest, are dropped first.
 * @param largest in bytes of JSON
 * @throws Error if all lists are empty: the other records of a user are bounded
 */
export function shorten(whole: AccountExport, largest = LARGEST_BYTES): AccountExport {
  let size = sizeOf(whole);
  if (size <= largest) return whole;
  // A list is measured once, and again after each change: lists are long, and measuring blocks all requests.
  const lists = new Map(EXPORTED_LISTS.map((name) => [name, measured(whole[name])]));
  const shortened = new Set(whole.shortened);
  while (size > largest) {
    const [name, { list, bytes }] = longestOf(lists);
    if (list.length === 0) throw new Error('The export of an empty account is too large.');
    const half = measured(list.slice(0, Math.floor(list.length / 2)));
    lists.set(name, half);
    // The list's name is added to `shortened`, in quotes and with a comma.
    size += half.bytes - bytes + (shortened.has(name) ? 0 : name.length + 3);
    shortened.add(name);
  }
  const fitting = [...lists].map(([name, { list }]) => [name, list] as const);
  return { ...whole, ...Object.fromEntries(fitting), shortened: [...shortened] };
}

interface Measured {
  readonly list: readonly unknown[];
  /** Of its JSON. */
  readonly bytes: number;
}

function measured(list: readonly unknown[]): Measured {
  return { list, bytes: sizeOf(list) };
}

function longestOf(lists: ReadonlyMap<ExportedList, Measured>): [ExportedList, Measured] {
  return [...lists].reduce((most, entry) => (entry[1].bytes > most[1].bytes ? entry : most));
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
