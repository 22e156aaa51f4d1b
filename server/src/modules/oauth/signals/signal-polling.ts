import type { Fail } from '@keywright/contract/errors';
import { type SignalStreamId, type TenantId, parseSignalStreamId } from '@keywright/contract/ids';
import type { BodyOf, OkOf } from '@keywright/contract/route';
import type { POLL_ROUTES } from '@keywright/contract/routes/signal-polling';
import type { Log } from '../../../platform/log.ts';
import type { AfterCommit } from '../../../tenancy/after-commit.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import type { SecurityEvent, StoredSignal } from './security-event.ts';
import { streamDue, reasonOfError } from './signal-queue.ts';
import type { Receiver } from './signal-receivers.ts';
import {
  findFilled,
  acknowledge,
  findWaiting,
  findStreamsOf,
  type StreamRow,
} from './signal-store.ts';

const LOOK_EVERY_MS = 1000;
/** Receivers that wait on this node, and for one stream. Others are answered at once. */
const MOST = 1000;
const MOST_OF_STREAM = 4;

interface Waiter {
  readonly tenantId: TenantId;
  readonly streamId: SignalStreamId;
  readonly wake: () => void;
}

/**
 * Receivers that wait for events of their streams. Once a second one statement asks for all of them, however many they are,
 * and none while there are none.
 */
interface Waiting {
  /** Resolves when there may be something, when the time is over, or at once if too many wait. */
  wait(tenantId: TenantId, streamId: SignalStreamId, forMs: number): Promise<void>;
  /** Lets everybody go. */
  end(): void;
}

interface WaitingDependencies {
  readonly system: SystemData;
  readonly afterCommit: AfterCommit;
  readonly log: Log;
}

export function createWaiting({ system, afterCommit, log }: WaitingDependencies): Waiting {
  const waiters = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  const look = async () => {
    try {
      const filled = await system.maintain('look for signals that are polled', (tx) =>
        findFilled(tx, [...waiters]),
      );
      const ids = new Set(filled);
      wakeAll(waiters, ({ streamId }) => ids.has(streamId));
    } catch (error) {
      log.warn({ err: error }, 'looking for signals that are polled failed');
    } finally {
      timer = undefined;
      schedule();
    }
  };
  const schedule = () => {
    if (timer || isOver || waiters.size === 0) return;
    timer = setTimeout(() => void look(), LOOK_EVERY_MS).unref();
  };
  afterCommit.subscribe(streamDue, ({ key }) =>
    wakeAll(waiters, ({ streamId }) => streamId === key),
  );

  return {
    wait(tenantId, streamId, forMs) {
      const ofStream = [...waiters].filter((one) => one.streamId === streamId).length;
      if (isOver || waiters.size >= MOST || ofStream >= MOST_OF_STREAM) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(end);
          waiters.delete(waiter);
          resolve();
        };
        const end = setTimeout(wake, forMs).unref();
        const waiter = { tenantId, streamId, wake };
        waiters.add(waiter);
        schedule();
      });
    },
    end() {
      isOver = true;
      clearTimeout(timer);
      wakeAll(waiters, () => true);
    },
  };
}

/** Waking removes them. */
function wakeAll(waiters: ReadonlySet<Waiter>, of: (waiter: Waiter) => boolean): void {
  for (const waiter of [...waiters].filter(of)) waiter.wake();
}

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
