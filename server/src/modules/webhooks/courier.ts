import type { Clock } from '../../platform/clock.ts';
import { batched } from '../../platform/db/batch.ts';
import type { Log } from '../../platform/log.ts';
import type { Gate } from '../../tenancy/gate.ts';
import type { Attempt } from './delivery.ts';
import { giveUpOn } from './disable.ts';
import { Lanes, type Turn } from './lanes.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type EndpointRef,
  type FinishedAttempt,
  finishDeliveries,
} from './queue-store.ts';
import { isHopeless, type Verdict } from './rules.ts';

/** Longer than an attempt can take, so that nobody takes over what is being sent. */
const LEASE_SECONDS = 60;
const FINISH_BATCH = { size: 128, flights: 2 };

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
  readonly #finish: (one: FinishedAttempt) => Promise<Date | null>;
  readonly #underWay = new Set<Promise<void>>();
  #claiming: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#finish = batched(
      (finished: readonly FinishedAttempt[]) =>
        finishDeliveries(parts.gate, finished, parts.clock.now()),
      FINISH_BATCH,
    );
  }

  /** Something is due for these. */
  send(endpoints: readonly EndpointRef[]): void {
    for (const endpoint of endpoints) this.#lanes.add(endpoint);
    this.#next();
  }

  /** Resolves when nothing is under way. */
  async settle(): Promise<void> {
    await this.#claiming;
    if (this.#underWay.size === 0) return;
    await Promise.all(this.#underWay);
    await this.settle();
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
    const endpoint = { tenantId: delivery.tenant_id, webhookId: delivery.webhook_id };
    const { log } = this.#parts;
    const verdict = await this.#parts.attempt(delivery).catch((error: unknown): Verdict => {
      log.error({ err: error, tenant: endpoint.tenantId }, 'a delivery could not be made');
      return { outcome: 'retry', dueAt: undefined, status: null, body: null, reason: 'internal' };
    });
    try {
      await this.#writeDown(endpoint, { delivery, verdict });
    } catch (error) {
      // The lease runs out, and the delivery is made again.
      const told = { err: error, tenant: endpoint.tenantId };
      if (!this.#isStopped) log.warn(told, 'an attempt was not written down');
    } finally {
      const isWell = verdict.outcome === 'delivered' || verdict.outcome === 'released';
      this.#lanes.leave(endpoint, isWell);
    }
  }

  async #writeDown(endpoint: EndpointRef, finished: FinishedAttempt): Promise<void> {
    const { gate, clock, count } = this.#parts;
    const failingSince = await this.#finish(finished);
    const { outcome } = finished.verdict;
    count(outcome);
    const isGone = outcome === 'gone';
    if (isGone || isHopeless(failingSince, clock.now())) await giveUpOn(gate, endpoint, isGone);
  }
}
