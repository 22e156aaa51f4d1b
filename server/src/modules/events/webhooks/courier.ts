import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Attempt } from './delivery.ts';
import { type Condition, Lanes, type Turn } from './lanes.ts';
import { type ClaimedDelivery, claimDeliveries, type EndpointRef } from './queue-store.ts';
import { Records } from './records.ts';
import { putOff, type Verdict, waits } from './rules.ts';

/** An attempt that takes longer than this is a slow one. */
const SLOW_MS = 1000;

interface Parts {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly log: Log;
  readonly attempt: Attempt;
  readonly count: (outcome: Verdict['outcome']) => void;
}

/** A delivery that this node queued, and when it heard of it, by the process's own clock. */
interface Fresh {
  readonly delivery: ClaimedDelivery;
  readonly heardMs: number;
}

/** Takes deliveries from the queue, or as they are queued, makes them, and has it written down how they went. */
export class Courier {
  readonly #parts: Parts;
  readonly #lanes = new Lanes<Fresh>();
  readonly #records: Records;
  readonly #underWay = new Set<Promise<void>>();
  #claiming: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#records = new Records(parts);
  }

  /** Something is due for these. */
  send(endpoints: readonly EndpointRef[]): void {
    for (const endpoint of endpoints) this.#lanes.add(endpoint);
    this.#next();
  }

  /** These were queued just now, and are this node's to send. What there is no room for goes to the database. */
  sendFresh(deliveries: readonly ClaimedDelivery[]): void {
    const heardMs = performance.now();
    for (const delivery of deliveries) {
      const hasRoom = this.#lanes.offer(endpointOf(delivery), { delivery, heardMs });
      if (!hasRoom) this.#records.end(delivery, waits(this.#parts.clock.now()));
    }
    this.#next();
  }

  /** Resolves when nothing is under way, and all is written down. */
  async settle(): Promise<void> {
    while (this.#claiming || this.#underWay.size > 0 || !this.#records.isSettled) {
      await this.#claiming;
      await Promise.all(this.#underWay);
      // That an endpoint was switched off leads to deliveries itself.
      await this.#records.settle();
    }
  }

  /** Takes nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.#records.stop();
  }

  /** Lets go of what is under way after `stop`: others make it again, and how it ends here is not written down. */
  async cutOff(): Promise<void> {
    this.#underWay.clear();
    for (const delivery of this.#records.underWay()) this.#release(delivery);
    await this.settle();
  }

  #release(delivery: ClaimedDelivery): void {
    this.#records.end(delivery, putOff('closed', this.#parts.clock.now()));
  }

  #next(): void {
    if (this.#isStopped) return;
    for (const { delivery, heardMs } of this.#lanes.takeFresh()) {
      if (Records.isStillHeld(heardMs)) this.#track(this.#deliver(delivery));
      else this.#lanes.putOff(endpointOf(delivery));
    }
    this.#claim();
  }

  /** One round at a time: what is asked for meanwhile is taken in the next one. */
  #claim(): void {
    if (this.#claiming) return;
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
      const claimed = await claimDeliveries(gate, round, clock.now(), Records.LEASE_SECONDS);
      this.#lanes.enter(round, claimed);
      for (const delivery of claimed) {
        if (this.#isStopped) this.#release(delivery);
        else this.#track(this.#deliver(delivery));
      }
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
    const { attempt, clock, log, count } = this.#parts;
    const endpoint = endpointOf(delivery);
    const began = performance.now();
    this.#records.begin(delivery);
    const verdict = await attempt(delivery).catch((error: unknown): Verdict => {
      log.error({ err: error, ...endpoint }, 'a delivery could not be made');
      return putOff('internal', clock.now());
    });
    if (!this.#records.isUnderWay(delivery)) return;
    const isSlow = performance.now() - began > SLOW_MS;
    count(verdict.outcome);
    this.#records.end(delivery, verdict);
    if (verdict.outcome === 'released') this.#lanes.putOff(endpoint);
    else this.#lanes.leave(endpoint, conditionOf(verdict, isSlow));
  }
}

function endpointOf({ tenant_id: tenantId, webhook_id: webhookId }: ClaimedDelivery): EndpointRef {
  return { tenantId, webhookId };
}

function conditionOf({ outcome }: Verdict, isSlow: boolean): Condition | undefined {
  if (outcome === 'expired') return undefined;
  if (outcome !== 'delivered') return 'failing';
  return isSlow ? 'slow' : 'well';
}
