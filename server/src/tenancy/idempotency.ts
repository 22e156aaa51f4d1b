import { createHmac, timingSafeEqual } from 'node:crypto';
import { fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type { Route } from '@keywright/contract/route';
import type { FastifyRequest } from 'fastify';
import { type Caller, nameOf } from './caller.ts';
import type { DataKeys } from './data-keys.ts';
import type { TenantData, TenantTx } from './gate.ts';
import { dropKey, findKey, type KeyRef, takeKey, writeAnswer } from './idempotency-store.ts';

export const LIFETIME_MS = 24 * 60 * 60 * 1000;
export const MAX_KEY = 255;

/** A repeatable request: its caller, route, key and body. */
export interface RepeatableRequest extends KeyRef {
  readonly bodyHash: Buffer;
}

/**
 * Reads the Idempotency-Key header of a request; without the header nothing is stored. Bodies are compared by a MAC
 * under the tenant's data key: a plain hash of a body with a password would allow guessing the password. The path and
 * the query must also match.
 * @throws AppError VALIDATION_FAILED
 */
export async function readRepeatable(
  dataKeys: DataKeys,
  tenantId: TenantId,
  caller: Caller,
  route: Route,
  { headers, params, query, body }: FastifyRequest,
): Promise<RepeatableRequest | undefined> {
  const header = headers['idempotency-key'];
  if (header === undefined) return undefined;
  const key = requireKey(header);
  const mac = await dataKeys.use(tenantId, (dataKey) => createHmac('sha256', dataKey));
  const paths = route.idempotent === 'each_path' ? Object.values(params as object) : [];
  const fields = { ...(params as object), ...(query as object), ...(body as object) };
  const bodyHash = mac.update(`idempotency ${JSON.stringify(fields)}`).digest();
  return { caller: nameOf(caller), route: [route.id, ...paths].join(' '), key, bodyHash };
}

function requireKey(header: string | string[]): string {
  if (typeof header === 'string' && header.length > 0 && header.length <= MAX_KEY) return header;
  return fail('VALIDATION_FAILED', {
    errors: [{ path: '/Idempotency-Key', message: `must have 1 to ${MAX_KEY} characters` }],
  });
}

/**
 * Runs the work in one transaction, once per key. The response is stored in the same transaction, so that neither
 * exists without the other. A repeat within 24 hours gets the same response.
 * @throws AppError IDEMPOTENCY_KEY_REUSED
 */
export function once<Answer>(
  data: TenantData,
  request: RepeatableRequest | undefined,
  work: (tx: TenantTx) => Promise<Answer>,
): Promise<Answer> {
  return data.transaction(async (tx) => {
    const stored = await findStoredAnswer<Answer>(tx, request);
    if (stored) return stored;
    const answer = await work(tx);
    await keepAnswer(tx, request, answer);
    return answer;
  });
}

/** Returns the stored response of this request, or locks its key for this transaction. */
export async function findStoredAnswer<Answer>(
  tx: TenantTx,
  request: RepeatableRequest | undefined,
): Promise<Answer | undefined> {
  if (request === undefined) return undefined;
  await dropExpired(tx, request);
  if (await takeKey(tx, request, request.bodyHash)) return undefined;
  const stored = await findKey(tx, request);
  if (!stored || !timingSafeEqual(stored.request_hash, request.bodyHash)) {
    return fail('IDEMPOTENCY_KEY_REUSED');
  }
  return stored.response as Answer;
}

/** Stores the response of a request whose key this transaction locked. */
export async function keepAnswer(
  tx: TenantTx,
  request: RepeatableRequest | undefined,
  answer: unknown,
): Promise<void> {
  if (request) await writeAnswer(tx, request, answer);
}

async function dropExpired(tx: TenantTx, ref: KeyRef): Promise<void> {
  const stored = await findKey(tx, ref);
  if (stored && tx.now.getTime() - stored.created_at.getTime() > LIFETIME_MS)
    await dropKey(tx, ref);
}
