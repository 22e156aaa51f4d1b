import type { TenantId } from '@keywright/contract/ids';
import { EXACT_TOTAL } from '@keywright/contract/list';
import { createCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { batched } from '../../../platform/db/batch.ts';
import { COUNT_UP_TO, type Page } from '../../../platform/db/page.ts';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';
import { createSample, type Sample } from './identifier-sample.ts';
import {
  type FoundUsers,
  listUserPages,
  type WantedPage,
  findCheckpoints,
  type SortField,
  type Start,
} from './user-administration-store.ts';

/**
 * Finds a page of all users. Concurrent requests share a statement: entering a tenant and starting to read four tables
 * is half the cost of a page.
 */
export type FindPage = (page: WantedPage) => Promise<FoundUsers>;

export function createFindPage(gate: Gate): FindPage {
  return batched((pages: readonly WantedPage[]) => listUserPages(gate, pages), {
    size: 16,
    flights: 2,
  });
}

/** How many users a tenant has, counted no further than COUNT_UP_TO. */
async function countAll(findPage: FindPage, tenantId: TenantId): Promise<number> {
  const { counted } = await findPage({
    tenantId,
    field: 'created_at',
    descending: false,
    start: { value: 'infinity', id: '', skip: 0 },
    rows: 0,
    countUpTo: COUNT_UP_TO,
  });
  return counted;
}

/**
 * A sample is good for so many times as long as it took, so that it costs half a percent of a core, within bounds. For as
 * long again it serves while the next one is taken.
 */
const GOOD_FOR_MS = { least: 30_000, most: 300_000 };
const GOOD_FOR_TIMES = 200;
const KEPT = 200;

/** What was found when the users of a large tenant were last counted, in one order. */
export interface UserSample {
  readonly total: number;
  /** Where a page by number begins. */
  startOf(page: Page): Start;
  /** Of identifiers, if sorted by them. */
  readonly sample: Sample;
}

/** Counts of tenants whose lists are estimates: those with more users than EXACT_TOTAL. */
export interface UserSamples {
  /** The last one; nothing where none was taken lately, or the tenant is not large. */
  find(tenant: TenantData, field: SortField): UserSample | undefined;
  /** The same, or one that is taken now. */
  take(tenant: TenantData, field: SortField): Promise<UserSample>;
  /** Whether it has more users than EXACT_TOTAL. */
  isLarge(tenant: TenantData): Promise<boolean>;
}

interface Kept {
  readonly sampled: UserSample;
  readonly goodUntil: number;
  readonly endsAt: number;
}

export function createUserSamples(clock: Clock, findPage: FindPage): UserSamples {
  const memory = createMemory(clock);
  const small = createCache<string, number>(KEPT);
  return {
    ...memory,
    async isLarge(tenant) {
      const fields: readonly SortField[] = ['created_at', 'identifier'];
      if (fields.some((field) => memory.find(tenant, field))) return true;
      const now = clock.now().getTime();
      if ((small.get(tenant.tenantId) ?? 0) > now) return false;
      const isLarge = (await countAll(findPage, tenant.tenantId)) >= COUNT_UP_TO;
      if (!isLarge) small.set(tenant.tenantId, now + GOOD_FOR_MS.least);
      return isLarge;
    },
  };
}

function createMemory(clock: Clock): Pick<UserSamples, 'find' | 'take'> {
  const kept = createCache<string, Kept>(KEPT);
  const inFlight = new Map<string, Promise<UserSample>>();

  async function renew(tenant: TenantData, field: SortField): Promise<UserSample> {
    const key = `${tenant.tenantId} ${field}`;
    const start = performance.now();
    const { checkpoints, total } = await tenant.transaction((tx) =>
      findCheckpoints(tx, field, STEP),
    );
    const tookMs = performance.now() - start;
    const sampled = {
      total,
      sample: createSample(field === 'identifier' ? checkpoints.map(({ value }) => value) : []),
      startOf: (page: Page) => startAtCheckpoint(page, checkpoints, total),
    };
    const { least, most } = GOOD_FOR_MS;
    const goodMs = Math.min(most, Math.max(least, tookMs * GOOD_FOR_TIMES));
    const now = clock.now().getTime();
    const ends = { goodUntil: now + goodMs, endsAt: now + 2 * goodMs };
    if (total > EXACT_TOTAL) kept.set(key, { sampled, ...ends });
    else kept.delete(key);
    return sampled;
  }

  /** Concurrent callers wait for the same sample. */
  function renewOnce(tenant: TenantData, field: SortField): Promise<UserSample> {
    const key = `${tenant.tenantId} ${field}`;
    const running = inFlight.get(key);
    if (running) return running;
    const renewing = renew(tenant, field).finally(() => inFlight.delete(key));
    inFlight.set(key, renewing);
    return renewing;
  }

  function find(tenant: TenantData, field: SortField): UserSample | undefined {
    const found = kept.get(`${tenant.tenantId} ${field}`);
    const now = clock.now().getTime();
    if (!found || found.endsAt <= now) return undefined;
    // A caller that waits for one reports a failure.
    if (found.goodUntil <= now) renewOnce(tenant, field).catch(() => {});
    return found.sampled;
  }

  return {
    find,
    take: async (tenant, field) => find(tenant, field) ?? renewOnce(tenant, field),
  };
}

/** A page begins no further behind a checkpoint than this. */
export const STEP = 500;

/** Before the first user, and after the last one. */
const ENDS: Readonly<Record<SortField, readonly [first: string, last: string]>> = {
  created_at: ['-infinity', 'infinity'],
  identifier: ['', '\u{10FFFF}'],
};

/** Where a list begins, or where a cursor leads to. */
export function plainStart({ field, descending, after, offset }: Page): Start {
  const [first, last] = ENDS[field as SortField];
  return { ...(after ?? { value: descending ? last : first, id: '' }), skip: offset };
}

/** A user, by what the list is sorted by. */
interface Checkpoint {
  readonly value: string;
  readonly id: string;
}

/**
 * Where a page by number begins, without counting up to it.
 * @param checkpoints the users in the places STEP - 1, 2 × STEP - 1, … of the ascending order
 */
export function startAtCheckpoint(
  { field, descending, offset }: Page,
  checkpoints: readonly Checkpoint[],
  total: number,
): Start {
  const [first, last] = ENDS[field as SortField];
  if (!descending) {
    const passed = Math.min(Math.floor(offset / STEP), checkpoints.length);
    return {
      ...(checkpoints[passed - 1] ?? { value: first, id: '' }),
      skip: offset - passed * STEP,
    };
  }
  const place = total - 1 - offset;
  if (place < 0) return { value: first, id: '', skip: 0 };
  const beyond = Math.floor((place + 1) / STEP);
  const checkpoint = checkpoints[beyond];
  // Behind the last checkpoint there is the end of the list.
  if (!checkpoint) return { value: last, id: '', skip: offset };
  return { ...checkpoint, skip: (beyond + 1) * STEP - 2 - place };
}
