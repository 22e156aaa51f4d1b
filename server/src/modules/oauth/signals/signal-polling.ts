import type { Fail } from '@keywright/contract/errors';
import { parseSignalStreamId, type SignalStreamId, type TenantId } from '@keywright/contract/ids';
import type { BodyOf, OkOf } from '@keywright/contract/route';
import type { POLL_ROUTES } from '@keywright/contract/routes/signal-polling';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { SecurityEvents, StoredSignal } from './security-event.ts';
import { reasonOfError, streamDue } from './signal-queue.ts';
import type { Receiver } from './signal-receivers.ts';
import {
  acknowledge,
  findFilled,
  findStreamsOf,
  findWaiting,
  type StreamRow,
} from './signal-store.ts';

const POLL_INTERVAL_MS = 1000;
/**
 * The maximum number of receivers that wait on this node, and for one stream. Further ones get an immediate response.
 */
const MOST_WAITERS = 1000;
const MOST_WAITERS_OF_STREAM = 4;

interface Waiter {
  readonly tenantId: TenantId;
  readonly streamId: SignalStreamId;
  readonly wake: () => void;
}

/**
 * Holds the polls of receivers that wait for events. One statement a second looks for the events of all of them; it
 * does not run without receivers.
 */
export class PollWaiters {
  readonly #core: Core;
  readonly #waiters = new Set<Waiter>();
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(core: Core) {
    this.#core = core;
    core.afterCommit.subscribe(streamDue, ({ key }) =>
      this.#wakeAll(({ streamId }) => streamId === key),
    );
  }

  /** Resolves when the stream might have an event, when the time is up, or immediately if too many receivers wait. */
  wait(tenantId: TenantId, streamId: SignalStreamId, forMs: number): Promise<void> {
    const waiters = this.#waiters;
    const ofStream = [...waiters].filter((waiter) => waiter.streamId === streamId).length;
    const isFull = waiters.size >= MOST_WAITERS || ofStream >= MOST_WAITERS_OF_STREAM;
    if (this.#hasEnded || isFull) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(end);
        waiters.delete(waiter);
        resolve();
      };
      const end = setTimeout(wake, forMs).unref();
      const waiter = { tenantId, streamId, wake };
      waiters.add(waiter);
      this.#schedule();
    });
  }

  /** Wakes all receivers. */
  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#wakeAll(() => true);
  }

  #schedule(): void {
    if (this.#timer || this.#hasEnded || this.#waiters.size === 0) return;
    this.#timer = setTimeout(() => void this.#look(), POLL_INTERVAL_MS).unref();
  }

  async #look(): Promise<void> {
    try {
      const filled = await this.#core.system.maintain('look for signals that are polled', (tx) =>
        findFilled(tx, [...this.#waiters]),
      );
      const ids = new Set(filled);
      this.#wakeAll(({ streamId }) => ids.has(streamId));
    } catch (error) {
      this.#core.log.warn({ err: error }, 'looking for signals that are polled failed');
    } finally {
      this.#timer = undefined;
      this.#schedule();
    }
  }

  /** Waking a receiver removes it. */
  #wakeAll(isWoken: (waiter: Waiter) => boolean): void {
    for (const waiter of [...this.#waiters].filter(isWoken)) waiter.wake();
  }
}

const MOST_EVENTS = 100;
/** Shorter than the timeout of proxies. */
const WAIT_MS = 25_000;

/** Returns the events of a stream, and completes those that the receiver acknowledges (RFC 8936). */
export class SignalPolling {
  readonly #gate: Gate;
  readonly #events: SecurityEvents;
  readonly #waiters: PollWaiters;

  constructor(gate: Gate, events: SecurityEvents, waiters: PollWaiters) {
    this.#gate = gate;
    this.#events = events;
    this.#waiters = waiters;
  }

  async poll(
    { tenant, client }: Receiver,
    named: string,
    request: BodyOf<(typeof POLL_ROUTES)[0]>,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<OkOf<(typeof POLL_ROUTES)[0]>> {
    const { maxEvents = MOST_EVENTS, returnImmediately = false } = request;
    const { ack = [], setErrs = {} } = request;
    const limit = Math.min(maxEvents, MOST_EVENTS);
    const streamId = parseSignalStreamId(named) ?? fail('NOT_FOUND');
    const flaws = Object.entries(setErrs).map(([id, { err, description }]) => ({
      id,
      reason: reasonOfError(err, description),
    }));
    const data = this.#gate.into(tenant.id);
    const find = (tx: TenantTx) => requirePolled(tx, client.id, streamId, fail);
    let rows = await data.transaction(async (tx) => {
      // Checked first, so that no receiver can acknowledge events of another receiver's stream.
      const stream = await find(tx);
      await acknowledge(tx, streamId, ack, flaws);
      return readStream(tx, stream, limit);
    });
    if (rows.length === 0 && limit > 0 && !returnImmediately) {
      await this.#waiters.wait(tenant.id, streamId, WAIT_MS);
      rows = await data.transaction(async (tx) => readStream(tx, await find(tx), limit));
    }
    const hasMore = rows.length > limit;
    const page = rows.slice(0, limit);
    const sets = await Promise.all(page.map((row) => this.#events.sign(tenant, client, row)));
    return {
      sets: Object.fromEntries(page.map(({ id }, index) => [id, sets[index] ?? ''])),
      ...(hasMore && { moreAvailable: true }),
    };
  }
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

/** Returns the oldest events, plus one if there are more; none while the stream is paused. */
async function readStream(
  tx: TenantTx,
  { id, status }: StreamRow,
  limit: number,
): Promise<StoredSignal[]> {
  return status === 'enabled' && limit > 0 ? findWaiting(tx, id, limit + 1) : [];
}
