import type { TenantId } from '@keywright/contract/ids';
import { MAX_LOGO_BYTES } from '@keywright/contract/records/logo';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { EGRESS_REASONS } from '../../../platform/egress/reasons.ts';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import { checkImage, digestOf } from './image.ts';
import {
  type Fetched,
  type FetchedRow,
  findLogos,
  findWaiting,
  isFetched,
  type LogoRow,
  storeLogo,
} from './store.ts';

const TIMEOUT_MS = 5000;
/** After the last one the administrator has to ask again. */
const MAX_ATTEMPTS = 5;
/** One that was just set is being fetched by the node that set it. */
const LEFT_BEHIND_MS = 60_000;
const ROUND = 50;

interface Dependencies {
  readonly gate: Gate;
  readonly system: SystemData;
  readonly egress: Egress;
  readonly clock: Clock;
}

/** Fetches logos when they are set, so that no page makes anybody call another server. */
export interface Logos {
  /** Those that wait. */
  fetchPending(tenantId: TenantId): Promise<void>;
  /** All of them, also those that are stored. */
  fetchAll(tenantId: TenantId): Promise<LogoRow[]>;
  /** What a process left behind that died, or that could not reach a server. */
  resume(): Promise<void>;
}

export function createLogos({ gate, system, egress, clock }: Dependencies): Logos {
  async function fetchThose(data: TenantData, rows: readonly FetchedRow[]): Promise<void> {
    const fetched = await Promise.all(
      rows.map(async (row) => ({ row, got: await fetchLogo(egress, data.tenantId, row) })),
    );
    if (fetched.length === 0) return;
    await data.transaction(async (tx) => {
      for (const { row, got } of fetched) await storeLogo(tx, row, got);
    });
  }

  async function fetchPending(tenantId: TenantId): Promise<void> {
    const data = gate.into(tenantId);
    const rows = await data.transaction(findLogos);
    await fetchThose(
      data,
      rows.filter(isFetched).filter(({ status }) => status === 'pending'),
    );
  }

  return {
    fetchPending,
    async fetchAll(tenantId) {
      const data = gate.into(tenantId);
      await fetchThose(data, (await data.transaction(findLogos)).filter(isFetched));
      return data.transaction(findLogos);
    },
    async resume() {
      const since = new Date(clock.now().getTime() - LEFT_BEHIND_MS);
      const waiting = await system.maintain('find logos', (tx) => findWaiting(tx, since, ROUND));
      for (const tenantId of waiting) await fetchPending(tenantId);
    },
  };
}

async function fetchLogo(
  egress: Egress,
  tenantId: TenantId,
  { url, attempts }: FetchedRow,
): Promise<Fetched> {
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_LOGO_BYTES, onBehalfOf: tenantId };
  const headers = { accept: 'image/avif,image/webp,image/png,image/svg+xml' };
  const got = await egress.send({ method: 'GET', url, headers, ...limits });
  const isLast = attempts + 1 >= MAX_ATTEMPTS;
  if (got.outcome !== 'answered') {
    return { reason: got.detail, isOver: got.outcome === 'refused' || isLast };
  }
  if (got.status !== 200) {
    return { reason: EGRESS_REASONS.status_not_ok, isOver: got.status < 500 || isLast };
  }
  const checked = checkImage(got.body);
  if ('objection' in checked) return { reason: `The answer ${checked.objection}.`, isOver: true };
  return { contentType: checked.contentType, digest: digestOf(got.body), image: got.body };
}
