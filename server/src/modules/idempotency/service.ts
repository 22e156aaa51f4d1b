import { timingSafeEqual } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import { sha256 } from '../../platform/crypto/sealed.ts';
import type { TenantTx } from '../../tenancy/gate.ts';
import { dropKey, findKey, keepAnswer, type KeyRef, takeKey } from './store.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;
const MAX_KEY = 255;

/** One request that may be repeated: who makes it, to which route, under which key, with which body. */
export interface RepeatableRequest {
  readonly caller: string;
  readonly route: string;
  /** The Idempotency-Key header; without it nothing is kept. */
  readonly key: string | undefined;
  readonly body: unknown;
}

type Refuse = Fail<'IDEMPOTENCY_KEY_REUSED' | 'VALIDATION_FAILED'>;

/** Reads the Idempotency-Key header. */
export function readIdempotencyKey(
  header: string | string[] | undefined,
  fail: Fail<'VALIDATION_FAILED'>,
): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && header.length > 0 && header.length <= MAX_KEY) return header;
  return fail('VALIDATION_FAILED', {
    errors: [{ path: '/Idempotency-Key', message: `needs 1 to ${MAX_KEY} characters` }],
  });
}

/**
 * Does the work once per key: the answer is kept in the transaction of the work itself, so neither exists
 * without the other, and a repeat within 24 hours gets it again.
 */
export async function once<Answer>(
  tx: TenantTx,
  request: RepeatableRequest,
  now: Date,
  fail: Refuse,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { caller, route, key } = request;
  if (key === undefined) return work();
  const ref: KeyRef = { caller, route, key };
  const requestHash = sha256(JSON.stringify(request.body));
  await dropExpired(tx, ref, now);
  if (await takeKey(tx, ref, requestHash, now)) {
    const answer = await work();
    await keepAnswer(tx, ref, answer);
    return answer;
  }
  const kept = await findKey(tx, ref);
  if (!kept || !timingSafeEqual(kept.request_hash, requestHash))
    return fail('IDEMPOTENCY_KEY_REUSED');
  return kept.response as Answer;
}

async function dropExpired(tx: TenantTx, ref: KeyRef, now: Date): Promise<void> {
  const kept = await findKey(tx, ref);
  if (kept && now.getTime() - kept.created_at.getTime() > KEPT_MS) await dropKey(tx, ref);
}
