import { EXACT_TOTAL } from '@keywright/contract/list';
import { createCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { COUNT_UP_TO, type Page } from '../../../platform/db/page.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { findMarks, type SortField, type Start } from './list-store.ts';
import { markedStart, STEP } from './marks.ts';
import { countAll, type FindPage } from './pages.ts';
import { createSample, type Sample } from './sample.ts';

/**
 * A census is good for so many times as long as it took, so that it costs half a percent of a core, within bounds. For as
 * long again it serves while the next one is taken.
 */
const GOOD_FOR_MS = { least: 30_000, most: 300_000 };
const GOOD_FOR_TIMES = 200;
const KEPT = 200;

/** What was found when the users of a large tenant were last counted, in one order. */
export interface Census {
  readonly total: number;
  /** Where a page by number begins. */
  startOf(page: Page): Start;
  /** Of identifiers, where those are what it is in the order of. */
  readonly sample: Sample;
}

/** Counts of tenants whose lists are estimates: those with more users than EXACT_TOTAL. */
export interface Censuses {
  /** The last one; nothing where none was taken lately, or the tenant is not large. */
  find(tenant: TenantData, field: SortField): Census | undefined;
  /** The same, or one that is taken now. */
  take(tenant: TenantData, field: SortField): Promise<Census>;
  /** Whether it has more users than EXACT_TOTAL. */
  isLarge(tenant: TenantData): Promise<boolean>;
}

interface Kept {
  readonly census: Census;
  readonly goodUntil: number;
  readonly endsAt: number;
}

export function createCensuses(clock: Clock, findPage: FindPage): Censuses {
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

function createMemory(clock: Clock): Pick<Censuses, 'find' | 'take'> {
  const kept = createCache<string, Kept>(KEPT);
  const underWay = new Map<string, Promise<Census>>();

  async function renew(tenant: TenantData, field: SortField): Promise<Census> {
    const key = `${tenant.tenantId} ${field}`;
    const start = performance.now();
    const { marks, total } = await tenant.transaction((tx) => findMarks(tx, field, STEP));
    const tookMs = performance.now() - start;
    const census = {
      total,
      sample: createSample(field === 'identifier' ? marks.map(({ value }) => value) : []),
      startOf: (page: Page) => markedStart(page, marks, total),
    };
    const { least, most } = GOOD_FOR_MS;
    const goodMs = Math.min(most, Math.max(least, tookMs * GOOD_FOR_TIMES));
    const now = clock.now().getTime();
    const ends = { goodUntil: now + goodMs, endsAt: now + 2 * goodMs };
    if (total > EXACT_TOTAL) kept.set(key, { census, ...ends });
    else kept.delete(key);
    return census;
  }

  /** Whoever asks while it is taken waits for the same one. */
  function renewOnce(tenant: TenantData, field: SortField): Promise<Census> {
    const key = `${tenant.tenantId} ${field}`;
    const running = underWay.get(key);
    if (running) return running;
    const renewing = renew(tenant, field).finally(() => underWay.delete(key));
    underWay.set(key, renewing);
    return renewing;
  }

  function find(tenant: TenantData, field: SortField): Census | undefined {
    const found = kept.get(`${tenant.tenantId} ${field}`);
    const now = clock.now().getTime();
    if (!found || found.endsAt <= now) return undefined;
    // Whoever has to wait for one tells if it fails.
    if (found.goodUntil <= now) renewOnce(tenant, field).catch(() => {});
    return found.census;
  }

  return {
    find,
    take: async (tenant, field) => find(tenant, field) ?? renewOnce(tenant, field),
  };
}
