import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { giveUpOn } from './disable.ts';
import {
  type ClaimedDelivery,
  finishDeliveries,
  type FinishedAttempt,
  holdDeliveries,
} from './queue-store.ts';
import { hopelessSince, type Verdict } from './rules.ts';

/** For how long this node holds what it takes. For as long kw_queue_unsent leaves alone what was queued. */
const LEASE_SECONDS = 6;
/** What is under way for longer than this is held on, again and again. */
const HOLD_EVERY_MS = 2000;
/** How long an attempt that is over waits for others to be written down with, and how many at most. */
const GATHER_MS = 100;
const MOST_AT_ONCE = 200;

interface Parts {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly log: Log;
}

/** Writes down how deliveries went, many at once, and keeps those that take long from being taken over. */
export class Records {
  static readonly LEASE_SECONDS = LEASE_SECONDS;

  readonly #parts: Parts;
  /** When each was held last, by the process's own clock. */
  readonly #underWay = new Map<ClaimedDelivery, number>();
  readonly #writing = new Set<Promise<void>>();
  #ended: FinishedAttempt[] = [];
  #flushing: NodeJS.Timeout | undefined;
  #holding: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether something that this node heard of then is surely held for it, for long enough to begin. */
  static isStillHeld(heardMs: number): boolean {
    return performance.now() - heardMs < HOLD_EVERY_MS;
  }

  begin(delivery: ClaimedDelivery): void {
    this.#underWay.set(delivery, performance.now());
    this.#holding ??= setTimeout(() => this.#hold(), HOLD_EVERY_MS).unref();
  }

  isUnderWay(delivery: ClaimedDelivery): boolean {
    return this.#underWay.has(delivery);
  }

  underWay(): ClaimedDelivery[] {
    return [...this.#underWay.keys()];
  }

  end(delivery: ClaimedDelivery, verdict: Verdict): void {
    this.#underWay.delete(delivery);
    this.#ended.push({ ...delivery, verdict });
    if (this.#ended.length >= MOST_AT_ONCE) this.#flush();
    else this.#flushing ??= setTimeout(() => this.#flush(), GATHER_MS).unref();
  }

  get isSettled(): boolean {
    return this.#ended.length + this.#writing.size === 0;
  }

  /** Resolves when what has ended is written down. */
  async settle(): Promise<void> {
    this.#flush();
    await Promise.all(this.#writing);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#holding);
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    const ended = this.#ended;
    if (ended.length === 0) return;
    this.#ended = [];
    const writing = this.#write(ended).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Where this fails, the lease runs out and the deliveries are made again. */
  async #write(ended: readonly FinishedAttempt[]): Promise<void> {
    const { gate, clock, log } = this.#parts;
    try {
      const now = clock.now();
      const hopeless = await finishDeliveries(gate, ended, now, hopelessSince(now));
      const gone = ended.filter(({ verdict }) => verdict.outcome === 'gone');
      for (const endpoint of hopeless) await giveUpOn(gate, endpoint, false);
      for (const { tenant_id: tenantId, webhook_id: webhookId } of gone) {
        await giveUpOn(gate, { tenantId, webhookId }, true);
      }
    } catch (error) {
      if (!this.#isStopped) log.warn({ err: error }, 'attempts were not written down');
    }
  }

  /** Goes on as long as something is under way. */
  #hold(): void {
    const now = performance.now();
    const long = this.#underWay.entries().filter(([, heldMs]) => now - heldMs >= HOLD_EVERY_MS / 2);
    const deliveries = [...long].map(([delivery]) => delivery);
    for (const delivery of deliveries) this.#underWay.set(delivery, now);
    const { gate, clock, log } = this.#parts;
    const until = new Date(clock.now().getTime() + LEASE_SECONDS * 1000);
    const held = deliveries.length > 0 ? holdDeliveries(gate, deliveries, until) : undefined;
    held?.catch((error: unknown) => {
      if (!this.#isStopped) log.warn({ err: error }, 'deliveries under way could not be held');
    });
    const isOver = this.#underWay.size === 0 || this.#isStopped;
    this.#holding = isOver ? undefined : setTimeout(() => this.#hold(), HOLD_EVERY_MS).unref();
  }
}
