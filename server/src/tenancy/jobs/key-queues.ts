import { Cache } from '../../platform/cache/cache.ts';
import type { Condition, KeyRef, Room, JobClaim } from './definition.ts';

/** Number of keys per statement. */
const KEYS_AT_ONCE = 64;
/** Maximum number of idle keys whose state is remembered. */
const MAX_REMEMBERED = 10_000;

interface KeyQueue<Fresh, Key extends string> {
  readonly name: string;
  readonly ref: KeyRef<Key>;
  /** Leased to this node and not started, the oldest first. */
  readonly fresh: Fresh[];
  inFlight: number;
  condition: Condition | undefined;
}

/** Number of jobs in progress of one tenant, or of all tenants. */
interface Share {
  inFlight: number;
  troubled: number;
}

/**
 * The keys with jobs, and the capacity of each. Keys take turns. Fresh jobs were queued by this node itself, and need
 * not be claimed from the database.
 */
export class KeyQueues<Fresh, Key extends string = string> {
  readonly #room: Room;
  /** Keys with jobs in progress or waiting. */
  readonly #queues = new Map<string, KeyQueue<Fresh, Key>>();
  /** Keys with due jobs, in turn order. */
  readonly #waiting = new Set<KeyQueue<Fresh, Key>>();
  /** Keys with fresh jobs, in turn order. */
  readonly #withFresh = new Set<KeyQueue<Fresh, Key>>();
  #fresh = 0;
  readonly #tenants = new Map<string, Share>();
  readonly #all: Share = { inFlight: 0, troubled: 0 };
  readonly #troubled = new Cache<string, Condition>(MAX_REMEMBERED);

  constructor(room: Room) {
    this.#room = room;
  }

  /** Marks a key as having due jobs. */
  add(ref: KeyRef<Key>): void {
    this.#waiting.add(this.#queueOf(ref));
  }

  /** Queues a fresh job until there is capacity. @returns false if the job must wait in the database */
  offer(ref: KeyRef<Key>, job: Fresh): boolean {
    const queue = this.#queueOf(ref);
    // Failing keys get one due job at a time.
    const isFull =
      this.#fresh >= this.#room.waiting || queue.fresh.length >= this.#room.waitingOfKey;
    if (isFull || queue.condition === 'failing') {
      this.#tidy(queue);
      return false;
    }
    queue.fresh.push(job);
    this.#fresh += 1;
    this.#withFresh.add(queue);
    return true;
  }

  /** Returns fresh jobs with reserved capacity. */
  takeFresh(): Fresh[] {
    const taken: Fresh[] = [];
    // A copy, because a queue that moves to the end must not be visited again.
    const line = [...this.#withFresh];
    for (const queue of line) {
      if (this.#all.inFlight >= this.#room.all) break;
      // Half of the capacity is for due jobs in the database, if there are any.
      const reserved = this.#waiting.has(queue) ? Math.floor(this.#mostOf(queue) / 2) : 0;
      const room = this.#roomIn(queue) - reserved;
      if (room <= 0) continue;
      const jobs = queue.fresh.splice(0, room);
      this.#count(queue, jobs.length);
      this.#fresh -= jobs.length;
      taken.push(...jobs);
      this.#withFresh.delete(queue);
      if (queue.fresh.length > 0) this.#withFresh.add(queue);
    }
    return taken;
  }

  /** The keys whose turn it is, with reserved capacity. More can be added later. */
  next(): JobClaim<Key>[] {
    const round: JobClaim<Key>[] = [];
    for (const queue of this.#waiting) {
      if (round.length >= KEYS_AT_ONCE || this.#all.inFlight >= this.#room.all) break;
      const limit = this.#roomIn(queue);
      // Long queues are claimed in chunks, not one job per statement.
      const isPiece = queue.inFlight > 0 && limit < this.#mostOf(queue) / 2;
      if (limit <= 0 || isPiece) continue;
      this.#waiting.delete(queue);
      this.#count(queue, limit);
      round.push({ ...queue.ref, limit });
    }
    return round;
  }

  /**
   * Records the number of jobs that each key of a round got. A key that used its whole capacity can have more jobs,
   * and moves to the end.
   */
  enter(round: readonly JobClaim<Key>[], claimed: readonly KeyRef<Key>[]): void {
    const taken = Map.groupBy(claimed, nameOf);
    for (const claim of round) {
      const queue = this.#queueOf(claim);
      const got = taken.get(queue.name)?.length ?? 0;
      this.#count(queue, got - claim.limit);
      if (got >= claim.limit) this.#waiting.add(queue);
      this.#tidy(queue);
    }
  }

  /** Records the end of a job. @param condition the new state of the key */
  finish(ref: KeyRef<Key>, condition: Condition | undefined): void {
    const queue = this.#queueOf(ref);
    this.#count(queue, -1);
    if (condition) this.#learn(queue, condition);
    this.#tidy(queue);
  }

  /** Releases a job that was not attempted for lack of capacity. The key waits until the next poll. */
  putOff(ref: KeyRef<Key>): void {
    const queue = this.#queueOf(ref);
    this.#count(queue, -1);
    this.#waiting.delete(queue);
    this.#tidy(queue);
  }

  #queueOf({ tenantId, key }: KeyRef<Key>): KeyQueue<Fresh, Key> {
    const ref = { tenantId, key };
    const name = nameOf(ref);
    const existing = this.#queues.get(name);
    if (existing) return existing;
    const condition = this.#troubled.get(name);
    const queue: KeyQueue<Fresh, Key> = { name, ref, fresh: [], inFlight: 0, condition };
    this.#queues.set(name, queue);
    return queue;
  }

  #mostOf({ condition }: KeyQueue<Fresh, Key>): number {
    if (condition === undefined) return this.#room.atFirst;
    return condition === 'failing' ? this.#room.whileFailing : this.#room.ofKey;
  }

  #roomIn(queue: KeyQueue<Fresh, Key>): number {
    const room = this.#mostOf(queue) - queue.inFlight;
    const share = this.#tenants.get(queue.ref.tenantId) ?? { inFlight: 0, troubled: 0 };
    return Math.min(
      room,
      this.#room.all - this.#all.inFlight,
      this.#room.ofTenant - share.inFlight,
      isTroubled(queue) ? this.#room.troubled - this.#all.troubled : room,
      isTroubled(queue) ? this.#room.troubledOfTenant - share.troubled : room,
    );
  }

  #learn(queue: KeyQueue<Fresh, Key>, condition: Condition): void {
    const { inFlight } = queue;
    // Subtracts under the old state, then adds under the new one.
    this.#count(queue, -inFlight);
    queue.condition = condition;
    this.#count(queue, inFlight);
    if (isTroubled(queue)) this.#troubled.set(queue.name, condition);
    else this.#troubled.delete(queue.name);
  }

  #count(queue: KeyQueue<Fresh, Key>, by: number): void {
    const { tenantId } = queue.ref;
    const share = this.#tenants.get(tenantId) ?? { inFlight: 0, troubled: 0 };
    queue.inFlight += by;
    for (const counts of [share, this.#all]) {
      counts.inFlight += by;
      if (isTroubled(queue)) counts.troubled += by;
    }
    if (share.inFlight > 0) this.#tenants.set(tenantId, share);
    else this.#tenants.delete(tenantId);
  }

  /** Drops an empty queue. */
  #tidy(queue: KeyQueue<Fresh, Key>): void {
    const isEmpty = queue.inFlight === 0 && queue.fresh.length === 0;
    if (isEmpty && !this.#waiting.has(queue)) this.#queues.delete(queue.name);
  }
}

function isTroubled({ condition }: { readonly condition: Condition | undefined }): boolean {
  return condition === 'slow' || condition === 'failing';
}

function nameOf({ tenantId, key }: KeyRef): string {
  return `${tenantId} ${key}`;
}
