import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { dropKey, findKey, type KeyRef, takeKey, writeAnswer } from './store.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;
const MAX_KEY = 255;

/** One request that may be repeated: who makes it, to which route, under which key, with which body. */
export interface RepeatableRequest extends KeyRef {
  readonly bodyHash: Buffer;
}

type Refuse = Fail<'IDEMPOTENCY_KEY_REUSED' | 'VALIDATION_FAILED'>;

/** Reads the Idempotency-Key header of a request; without it nothing is kept. */
export type ReadRepeatable = (
  tenantId: TenantId,
  request: { readonly caller: string; readonly route: string; readonly body: unknown },
  header: string | string[] | undefined,
  fail: Fail<'VALIDATION_FAILED'>,
) => Promise<RepeatableRequest | undefined>;

/**
 * A body is told from another by a MAC under the tenant's data key: a plain hash of a body that holds a
 * password would be a way to guess it.
 */
export function createReadRepeatable(dataKeys: DataKeys): ReadRepeatable {
  return async (tenantId, { caller, route, body }, header, fail) => {
    if (header === undefined) return undefined;
    const key = requireKey(header, fail);
    const mac = createHmac('sha256', await dataKeys.get(tenantId));
    const bodyHash = mac.update(`idempotency ${JSON.stringify(body)}`).digest();
    return { caller, route, key, bodyHash };
  };
}

function requireKey(header: string | string[], fail: Fail<'VALIDATION_FAILED'>): string {
  if (typeof header === 'string' && header.length > 0 && header.length <= MAX_KEY) return header;
  return fail('VALIDATION_FAILED', {
    errors: [{ path: '/Idempotency-Key', message: `must have 1 to ${MAX_KEY} characters` }],
  });
}

/**
 * Does the work once per key: the answer is kept in the transaction of the work itself, so neither exists
 * without the other, and a repeat within 24 hours gets it again.
 */
export async function once<Answer>(
  tx: TenantTx,
  request: RepeatableRequest | undefined,
  now: Date,
  fail: Refuse,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const kept = await findKeptAnswer<Answer>(tx, request, now, fail);
  if (kept) return kept;
  const answer = await work();
  await keepAnswer(tx, request, answer);
  return answer;
}

/** The answer that this request got before. Otherwise its key is taken, for this transaction to fill. */
export async function findKeptAnswer<Answer>(
  tx: TenantTx,
  request: RepeatableRequest | undefined,
  now: Date,
  fail: Refuse,
): Promise<Answer | undefined> {
  if (request === undefined) return undefined;
  await dropExpired(tx, request, now);
  if (await takeKey(tx, request, request.bodyHash, now)) return undefined;
  const kept = await findKey(tx, request);
  if (!kept || !timingSafeEqual(kept.request_hash, request.bodyHash)) {
    return fail('IDEMPOTENCY_KEY_REUSED');
  }
  return kept.response as Answer;
}

/** Keeps the answer of a request whose key this transaction took. */
export async function keepAnswer(
  tx: TenantTx,
  request: RepeatableRequest | undefined,
  answer: unknown,
): Promise<void> {
  if (request) await writeAnswer(tx, request, answer);
}

async function dropExpired(tx: TenantTx, ref: KeyRef, now: Date): Promise<void> {
  const kept = await findKey(tx, ref);
  if (kept && now.getTime() - kept.created_at.getTime() > KEPT_MS) await dropKey(tx, ref);
}
