import type { Fail } from '@keywright/contract/errors';
import { parseSignalStreamId, type SignalStreamId } from '@keywright/contract/ids';
import type { BodyOf, OkOf } from '@keywright/contract/route';
import type { POLL_ROUTES } from '@keywright/contract/routes/signal-polling';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Receiver } from './receiver.ts';
import { reasonOfError } from './rules.ts';
import type { SecurityEvent, StoredSignal } from './set.ts';
import { acknowledge, findWaiting } from './signals-store.ts';
import { findStreamsOf, type StreamRow } from './streams-store.ts';
import type { Waiting } from './waiting.ts';

const MOST_EVENTS = 100;
/** Less than what proxies wait for an answer. */
const WAIT_MS = 25_000;

type Request = BodyOf<(typeof POLL_ROUTES)[0]>;
type Polled = OkOf<(typeof POLL_ROUTES)[0]>;

/** Answers with events of a stream, and ends those that the receiver has (RFC 8936). */
export type Poll = (
  receiver: Receiver,
  named: string,
  request: Request,
  fail: Fail<'NOT_FOUND'>,
) => Promise<Polled>;

interface Dependencies {
  readonly gate: Gate;
  readonly securityEvent: SecurityEvent;
  readonly waiting: Waiting;
}

export function createPoll({ gate, securityEvent, waiting }: Dependencies): Poll {
  return async ({ tenant, client }, named, request, fail) => {
    const { maxEvents = MOST_EVENTS, returnImmediately = false } = request;
    const { ack = [], setErrs = {} } = request;
    const limit = Math.min(maxEvents, MOST_EVENTS);
    const streamId = parseSignalStreamId(named) ?? fail('NOT_FOUND');
    const flaws = Object.entries(setErrs).map(([id, { err, description }]) => ({
      id,
      reason: reasonOfError(err, description),
    }));
    const data = gate.into(tenant.id);
    const find = (tx: TenantTx) => requirePolled(tx, client.id, streamId, fail);
    let rows = await data.transaction(async (tx) => {
      // Nothing of a stream of somebody else is acknowledged.
      const stream = await find(tx);
      await acknowledge(tx, streamId, ack, flaws);
      return readStream(tx, stream, limit);
    });
    if (rows.length === 0 && limit > 0 && !returnImmediately) {
      await waiting.wait(tenant.id, streamId, WAIT_MS);
      rows = await data.transaction(async (tx) => readStream(tx, await find(tx), limit));
    }
    const hasMore = rows.length > limit;
    const some = rows.slice(0, limit);
    const sets = await Promise.all(some.map((row) => securityEvent(tenant, client, row)));
    return {
      sets: Object.fromEntries(some.map(({ id }, index) => [id, sets[index] ?? ''])),
      ...(hasMore && { moreAvailable: true }),
    };
  };
}

async function requirePolled(
  tx: TenantTx,
  clientId: Receiver['client']['id'],
  streamId: SignalStreamId,
  fail: Fail<'NOT_FOUND'>,
): Promise<StreamRow> {
  const streams = await findStreamsOf(tx, clientId);
  const stream = streams.find(({ id }) => id === streamId);
  return stream?.method === 'poll' ? stream : fail('NOT_FOUND');
}

/** One more than asked for, if there are more. Nothing while the stream is paused. */
async function readStream(
  tx: TenantTx,
  { id, status }: StreamRow,
  limit: number,
): Promise<StoredSignal[]> {
  return status === 'enabled' && limit > 0 ? findWaiting(tx, id, limit + 1) : [];
}
