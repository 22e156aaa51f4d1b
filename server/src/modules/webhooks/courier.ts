import type { Clock } from '../../platform/clock.ts';
import { batched } from '../../platform/db/batch.ts';
import type { Log } from '../../platform/log.ts';
import type { Gate } from '../../tenancy/gate.ts';
import type { Attempt } from './delivery.ts';
import { giveUpOn } from './disable.ts';
import { type Condition, Lanes, type Turn } from './lanes.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type EndpointRef,
  type FinishedAttempt,
  finishDeliveries,
} from './queue-store.ts';
import { hopelessSince, putOff, type Verdict } from './rules.ts';

/** Longer than an attempt and its way there and back can take, so that nobody takes over what is being sent. */
const LEASE_SECONDS = 60;
const FINISH_BATCH = { size: 128, flights: 2 };
/** An attempt that takes longer than this is a slow one. */
const SLOW_MS = 1000;

interface Parts {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly log: Log;
  readonly attempt: Attempt;
  readonly count: (outcome: Verdict['outcome']) => void;
}

/** Takes deliveries from the queue, makes them, and writes down how they went. */
export class Courier {
  readonly #parts: Parts;
  readonly #lanes = new Lanes();
  readonly #finish: (one: FinishedAttempt) => Promise<boolean>;
  readonly #underWay = new Set<Promise<void>>();
  #claiming: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: Parts) {
    const { gate, clock } = parts;
    this.#parts = parts;
    this.#finish = batched((finished: readonly FinishedAttempt[]) => {
      const now = clock.now();
      return finishDeliveries(gate, finished, now, hopelessSince(now));
    }, FINISH_BATCH);
  }

  /** Something is due for these. */
  send(endpoints: readonly EndpointRef[]): void {
    for (const endpoint of endpoints) this.#lanes.add(endpoint);
    this.#next();
  }

  /** Resolves when nothing is under way. */
  async settle(): Promise<void> {
    while (this.#claiming || this.#underWay.size > 0) {
      await this.#claiming;
      await Promise.all(this.#underWay);
    }
  }

  /** Takes nothing more. */
  stop(): void {
    this.#isStopped = true;
  }

  /** One round at a time: what is asked for meanwhile is taken in the next one. */
  #next(): void {
    if (this.#claiming || this.#isStopped) return;
    const round = this.#lanes.next();
    if (round.length === 0) return;
    this.#claiming = this.#take(round).finally(() => {
      this.#claiming = undefined;
      this.#next();
    });
  }

  async #take(round: readonly Turn[]): Promise<void> {
    const { gate, clock, log } = this.#parts;
    try {
      const claimed = await claimDeliveries(gate, round, clock.now(), LEASE_SECONDS);
      this.#lanes.enter(round, claimed);
      for (const delivery of claimed) this.#track(this.#deliver(delivery));
    } catch (error) {
      // They wait for the next look.
      this.#lanes.enter(round, []);
      if (!this.#isStopped) log.warn({ err: error }, 'deliveries could not be taken');
    }
  }

  #track(work: Promise<void>): void {
    this.#underWay.add(work);
    void work.finally(() => {
      this.#underWay.delete(work);
      this.#next();
    });
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const { attempt, clock, log } = this.#parts;
    const endpoint = { tenantId: delivery.tenant_id, webhookId: delivery.webhook_id };
    const began = performance.now();
    const verdict = await attempt(delivery).catch((error: unknown): Verdict => {
      log.error({ err: error, ...endpoint }, 'a delivery could not be made');
      return putOff('internal', clock.now());
    });
    const isSlow = performance.now() - began > SLOW_MS;
    await this.#writeDown(endpoint, { delivery, verdict });
    if (verdict.outcome === 'released') this.#lanes.putOff(endpoint);
    else this.#lanes.leave(endpoint, conditionOf(verdict, isSlow));
  }

  /** Where this fails, the lease runs out and the delivery is made again. */
  async #writeDown(endpoint: EndpointRef, finished: FinishedAttempt): Promise<void> {
    const { gate, count, log } = this.#parts;
    const { outcome } = finished.verdict;
    count(outcome);
    try {
      const isHopeless = await this.#finish(finished);
      if (isHopeless || outcome === 'gone') await giveUpOn(gate, endpoint, outcome === 'gone');
    } catch (error) {
      if (!this.#isStopped)
        log.warn({ err: error, ...endpoint }, 'an attempt was not written down');
    }
  }
}

function conditionOf({ outcome }: Verdict, isSlow: boolean): Condition | undefined {
  if (outcome === 'expired') return undefined;
  if (outcome !== 'delivered') return 'failing';
  return isSlow ? 'slow' : 'well';
}
