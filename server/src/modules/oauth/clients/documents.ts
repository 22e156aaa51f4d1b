import type { TenantId } from '@keywright/contract/ids';
import { FairCache } from '../../../platform/cache/fair-cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { getJson, type JsonAnswered } from '../../../platform/egress/json.ts';
import { judgeDocument, type Published } from './document.ts';

/** draft-ietf-oauth-client-id-metadata-document §6.6: documents are small. */
const LIMITS = { timeoutMs: 5000, maxBytes: 5 * 1024 } as const;
/** Whatever the cache headers say, in seconds. */
const LIFE_SECONDS = { min: 300, max: 86_400 };
/** What cannot be used is not read again before this has passed. */
const FAILURE_KEPT_MS = 60_000;
/** Documents of at most 5 KiB, over all tenants and of one. */
const KEPT = { max: 1000, maxOfOwner: 200 };
/** Reads of one tenant at a time: silent hosts of one must not use up the connections of all. */
const MAX_AT_ONCE = 16;

/** A document as it was read last. */
export interface ReadDocument {
  readonly published: Published | undefined;
  /** Why it cannot be used, without anything of it. */
  readonly problem: string | undefined;
  readonly goodUntilMs: number;
}

/** The documents at addresses that are client ids. */
export interface Documents {
  /** As it was read last, however long ago. */
  kept(tenantId: TenantId, address: string): ReadDocument | undefined;
  /** The same while it is good; undefined: it has to be read. */
  known(tenantId: TenantId, address: string): ReadDocument | undefined;
  /** Calls the host. Concurrent reads of a tenant share one call. */
  read(tenantId: TenantId, address: string): Promise<ReadDocument>;
}

export function createDocuments(egress: Egress, clock: Clock): Documents {
  // By tenant: none may observe what another one has read, or when.
  const kept = new FairCache<TenantId, string, ReadDocument>(KEPT);
  const inFlight = new Map<TenantId, Map<string, Promise<ReadDocument>>>();

  async function readAndKeep(tenantId: TenantId, address: string): Promise<ReadDocument> {
    const { lifeMs, ...found } = await fetchDocument(egress, tenantId, address);
    const document = { ...found, goodUntilMs: clock.now().getTime() + lifeMs };
    kept.set(tenantId, address, document);
    return document;
  }

  function known(tenantId: TenantId, address: string): ReadDocument | undefined {
    const document = kept.get(tenantId, address);
    return document && document.goodUntilMs > clock.now().getTime() ? document : undefined;
  }

  return {
    kept: (tenantId, address) => kept.get(tenantId, address),
    known,
    async read(tenantId, address) {
      // Somebody else may have read it while this request was counted.
      const good = known(tenantId, address);
      if (good) return good;
      const pending = inFlight.get(tenantId) ?? new Map<string, Promise<ReadDocument>>();
      const already = pending.get(address);
      if (already) return already;
      if (pending.size >= MAX_AT_ONCE) return TOO_BUSY;
      const answer = readAndKeep(tenantId, address).finally(() => {
        pending.delete(address);
        if (pending.size === 0) inFlight.delete(tenantId);
      });
      inFlight.set(tenantId, pending.set(address, answer));
      return answer;
    },
  };
}

/** Not kept: nothing was asked. */
const TOO_BUSY: ReadDocument = {
  published: undefined,
  problem: 'Too many documents are being read.',
  goodUntilMs: 0,
};

async function fetchDocument(egress: Egress, onBehalfOf: TenantId, url: string) {
  const failed = (problem: string) => ({ published: undefined, problem, lifeMs: FAILURE_KEPT_MS });
  const answer = await getJson(egress, { url, onBehalfOf, ...LIMITS });
  if (answer.outcome !== 'answered') return failed(answer.detail);
  const judged = judgeDocument(url, answer.value);
  if ('flaws' in judged) {
    const [flaw] = judged.flaws;
    return failed(flaw ? `${flaw.path.slice(1) || 'It'} ${flaw.message}.` : 'It is malformed.');
  }
  return { published: judged, problem: undefined, lifeMs: lifeSeconds(answer) * 1000 };
}

/** RFC 9111 §5.2.2, within bounds. */
function lifeSeconds({ headers }: JsonAnswered): number {
  const wish = headers['cache-control'] ?? '';
  const [, seconds = '0'] = /(?:^|[\s,])max-age="?([0-9]{1,10})/i.exec(wish) ?? [];
  const asked = /no-(?:store|cache)/i.test(wish) ? 0 : Number(seconds);
  return Math.min(Math.max(asked, LIFE_SECONDS.min), LIFE_SECONDS.max);
}
