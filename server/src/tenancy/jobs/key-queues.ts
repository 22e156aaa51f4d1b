import { createCache } from '../../platform/cache/cache.ts';
import type { Condition, KeyRef, Room, Turn } from './definition.ts';

/** How many keys are asked about in one statement. */
const KEYS_AT_ONCE = 64;
/** Keys in trouble that are remembered while there is nothing for them. */
const MAX_REMEMBERED = 10_000;

interface KeyQueue<Fresh, Key extends string> {
  readonly name: string;
  readonly ref: KeyRef<Key>;
  /** Held by this node and not begun yet, the oldest first. */
  readonly fresh: Fresh[];
  underWay: number;
  condition: Condition | undefined;
}

/** What is under way for the keys of one tenant, or of all. */
interface Share {
  underWay: number;
  troubled: number;
}

/**
 * Which keys there is something for, and how much room each has. Every key gets its turn.
 * Fresh is what this node has queued itself, and need not take from the database.
 */
export class KeyQueues<Fresh, Key extends string = string> {
  readonly #room: Room;
  /** Of keys that something is under way for, or waits for. */
  readonly #queues = new Map<string, KeyQueue<Fresh, Key>>();
  /** In the order of their turns. */
  readonly #waiting = new Set<KeyQueue<Fresh, Key>>();
  /** Those with something fresh, in the order of their turns. */
  readonly #withFresh = new Set<KeyQueue<Fresh, Key>>();
  #fresh = 0;
  readonly #tenants = new Map<string, Share>();
  readonly #all: Share = { underWay: 0, troubled: 0 };
  readonly #troubled = createCache<string, Condition>(MAX_REMEMBERED);

  constructor(room: Room) {
    this.#room = room;
  }

  /** Something is due for this key. */
  add(ref: KeyRef<Key>): void {
    this.#waiting.add(this.#queueOf(ref));
  }

  /** Keeps something fresh until there is room. @returns false where it has to wait in the database */
  offer(ref: KeyRef<Key>, one: Fresh): boolean {
    const queue = this.#queueOf(ref);
    // Whoever fails is tried with what is due, one at a time.
    const isFull =
      this.#fresh >= this.#room.waiting || queue.fresh.length >= this.#room.waitingOfKey;
    if (isFull || queue.condition === 'failing') {
      this.#tidy(queue);
      return false;
    }
    queue.fresh.push(one);
    this.#fresh += 1;
    this.#withFresh.add(queue);
    return true;
  }

  /** What is fresh and has room, which is theirs from now on. */
  takeFresh(): Fresh[] {
    const taken: Fresh[] = [];
    // A copy, because a queue that moves to the end must not be visited again.
    const line = [...this.#withFresh];
    for (const queue of line) {
      if (this.#all.underWay >= this.#room.all) break;
      // Half of the room is for what is due in the database, if anything is.
      const kept = this.#waiting.has(queue) ? Math.floor(this.#mostOf(queue) / 2) : 0;
      const room = this.#roomIn(queue) - kept;
      if (room <= 0) continue;
      const some = queue.fresh.splice(0, room);
      this.#count(queue, some.length);
      this.#fresh -= some.length;
      taken.push(...some);
      this.#withFresh.delete(queue);
      if (queue.fresh.length > 0) this.#withFresh.add(queue);
    }
    return taken;
  }

  /** The keys whose turn it is, with room that is theirs from now on. What is added later may be more. */
  next(): Turn<Key>[] {
    const round: Turn<Key>[] = [];
    for (const queue of this.#waiting) {
      if (round.length >= KEYS_AT_ONCE || this.#all.underWay >= this.#room.all) break;
      const limit = this.#roomIn(queue);
      // A long queue is taken in pieces, not one job per statement.
      const isPiece = queue.underWay > 0 && limit < this.#mostOf(queue) / 2;
      if (limit <= 0 || isPiece) continue;
      this.#waiting.delete(queue);
      this.#count(queue, limit);
      round.push({ ...queue.ref, limit });
    }
    return round;
  }

  /** How much each of a round got. Who got all that there was room for may have more, and goes to the end. */
  enter(round: readonly Turn<Key>[], claimed: readonly KeyRef<Key>[]): void {
    const taken = Map.groupBy(claimed, nameOf);
    for (const turn of round) {
      const queue = this.#queueOf(turn);
      const got = taken.get(queue.name)?.length ?? 0;
      this.#count(queue, got - turn.limit);
      if (got >= turn.limit) this.#waiting.add(queue);
      this.#tidy(queue);
    }
  }

  /** A job is over. @param condition what was learned of the key */
  leave(ref: KeyRef<Key>, condition: Condition | undefined): void {
    const queue = this.#queueOf(ref);
    this.#count(queue, -1);
    if (condition) this.#learn(queue, condition);
    this.#tidy(queue);
  }

  /** Nothing was done: there was no room further on. The key waits until it is looked for what is due. */
  putOff(ref: KeyRef<Key>): void {
    const queue = this.#queueOf(ref);
    this.#count(queue, -1);
    this.#waiting.delete(queue);
    this.#tidy(queue);
  }

  #queueOf({ tenantId, key }: KeyRef<Key>): KeyQueue<Fresh, Key> {
    const ref = { tenantId, key };
    const name = nameOf(ref);
    const known = this.#queues.get(name);
    if (known) return known;
    const condition = this.#troubled.get(name);
    const queue: KeyQueue<Fresh, Key> = { name, ref, fresh: [], underWay: 0, condition };
    this.#queues.set(name, queue);
    return queue;
  }

  #mostOf({ condition }: KeyQueue<Fresh, Key>): number {
    if (condition === undefined) return this.#room.atFirst;
    return condition === 'failing' ? this.#room.whileFailing : this.#room.ofKey;
  }

  #roomIn(queue: KeyQueue<Fresh, Key>): number {
    const room = this.#mostOf(queue) - queue.underWay;
    const share = this.#tenants.get(queue.ref.tenantId) ?? { underWay: 0, troubled: 0 };
    return Math.min(
      room,
      this.#room.all - this.#all.underWay,
      this.#room.ofTenant - share.underWay,
      isTroubled(queue) ? this.#room.troubled - this.#all.troubled : room,
      isTroubled(queue) ? this.#room.troubledOfTenant - share.troubled : room,
    );
  }

  #learn(queue: KeyQueue<Fresh, Key>, condition: Condition): void {
    const { underWay } = queue;
    // Counted as what it was, then as what it is.
    this.#count(queue, -underWay);
    queue.condition = condition;
    this.#count(queue, underWay);
    if (isTroubled(queue)) this.#troubled.set(queue.name, condition);
    else this.#troubled.delete(queue.name);
  }

  #count(queue: KeyQueue<Fresh, Key>, by: number): void {
    const { tenantId } = queue.ref;
    const share = this.#tenants.get(tenantId) ?? { underWay: 0, troubled: 0 };
    queue.underWay += by;
    for (const one of [share, this.#all]) {
      one.underWay += by;
      if (isTroubled(queue)) one.troubled += by;
    }
    if (share.underWay > 0) this.#tenants.set(tenantId, share);
    else this.#tenants.delete(tenantId);
  }

  /** A queue that there is nothing in or for is forgotten. */
  #tidy(queue: KeyQueue<Fresh, Key>): void {
    const isEmpty = queue.underWay === 0 && queue.fresh.length === 0;
    if (isEmpty && !this.#waiting.has(queue)) this.#queues.delete(queue.name);
  }
}

function isTroubled({ condition }: { readonly condition: Condition | undefined }): boolean {
  return condition === 'slow' || condition === 'failing';
}

function nameOf({ tenantId, key }: KeyRef): string {
  return `${tenantId} ${key}`;
}
