import { createCache } from '../../../platform/cache/cache.ts';
import type { EndpointRef } from './queue-store.ts';

/** How many deliveries are under way at once on this node. The egress has room for more, which others need too. */
const MOST = 384;
const MOST_OF_TENANT = 128;
const MOST_OF_ENDPOINT = 10;
/** To an endpoint that nothing is known of, and to one whose last attempt failed. */
const MOST_AT_FIRST = 4;
const MOST_WHILE_FAILING = 1;
/** To endpoints in trouble, in all and of one tenant: what they have under way takes long, and would fill the room. */
const MOST_TROUBLED = 192;
const MOST_TROUBLED_OF_TENANT = 48;
/** Deliveries that wait here for room, to one endpoint and in all. What is beyond waits in the database. */
const MOST_FRESH_OF_ENDPOINT = 200;
const MOST_FRESH = 5000;
/** How many endpoints are asked about in one statement. */
const ENDPOINTS_AT_ONCE = 64;
/** Endpoints in trouble that are remembered while there is nothing for them. */
const MAX_REMEMBERED = 10_000;

/** How an endpoint is doing, by its last attempt. Slow is well in the end. */
export type Condition = 'well' | 'slow' | 'failing';

interface Lane<Fresh> {
  readonly key: string;
  readonly endpoint: EndpointRef;
  /** Held by this node and not sent yet, the oldest first. */
  readonly fresh: Fresh[];
  underWay: number;
  condition: Condition | undefined;
}

/** What is under way to the endpoints of one tenant, or of all. */
interface Share {
  underWay: number;
  troubled: number;
}

/** An endpoint to take deliveries for, and how many. */
export interface Turn extends EndpointRef {
  readonly limit: number;
}

/**
 * Which endpoints there is something for, and how much room each has. Every endpoint gets its turn.
 * Fresh is what this node has queued itself, and need not take from the database.
 */
export class Lanes<Fresh> {
  /** Of endpoints that something is under way to, or waits for. */
  readonly #lanes = new Map<string, Lane<Fresh>>();
  /** In the order of their turns. */
  readonly #waiting = new Set<Lane<Fresh>>();
  /** Those with something fresh, in the order of their turns. */
  readonly #withFresh = new Set<Lane<Fresh>>();
  #fresh = 0;
  readonly #tenants = new Map<string, Share>();
  readonly #all: Share = { underWay: 0, troubled: 0 };
  readonly #troubled = createCache<string, Condition>(MAX_REMEMBERED);

  /** Something is due for this endpoint. */
  add(endpoint: EndpointRef): void {
    this.#waiting.add(this.#laneOf(endpoint));
  }

  /** Keeps something fresh until there is room. @returns false where it has to wait in the database */
  offer(endpoint: EndpointRef, one: Fresh): boolean {
    const lane = this.#laneOf(endpoint);
    // Whoever fails is tried with what is due, one at a time.
    const isFull = this.#fresh >= MOST_FRESH || lane.fresh.length >= MOST_FRESH_OF_ENDPOINT;
    if (isFull || lane.condition === 'failing') {
      this.#tidy(lane);
      return false;
    }
    lane.fresh.push(one);
    this.#fresh += 1;
    this.#withFresh.add(lane);
    return true;
  }

  /** What is fresh and has room, which is theirs from now on. */
  takeFresh(): Fresh[] {
    const taken: Fresh[] = [];
    // A copy: who goes to the end of the line must not be met again.
    const line = [...this.#withFresh];
    for (const lane of line) {
      if (this.#all.underWay >= MOST) break;
      // Half of the room is for what is due in the database, if anything is.
      const kept = this.#waiting.has(lane) ? Math.floor(mostOf(lane.condition) / 2) : 0;
      const room = this.#roomIn(lane) - kept;
      if (room <= 0) continue;
      const some = lane.fresh.splice(0, room);
      this.#count(lane, some.length);
      this.#fresh -= some.length;
      taken.push(...some);
      this.#withFresh.delete(lane);
      if (lane.fresh.length > 0) this.#withFresh.add(lane);
    }
    return taken;
  }

  /** The endpoints whose turn it is, with room that is theirs from now on. What is added later may be more. */
  next(): Turn[] {
    const round: Turn[] = [];
    for (const lane of this.#waiting) {
      if (round.length >= ENDPOINTS_AT_ONCE || this.#all.underWay >= MOST) break;
      const limit = this.#roomIn(lane);
      // A long queue is taken in pieces, not one delivery per statement.
      const isPiece = lane.underWay > 0 && limit < mostOf(lane.condition) / 2;
      if (limit <= 0 || isPiece) continue;
      this.#waiting.delete(lane);
      this.#count(lane, limit);
      round.push({ ...lane.endpoint, limit });
    }
    return round;
  }

  /** How much each of a round got. Who got all that there was room for may have more, and goes to the end. */
  enter(
    round: readonly Turn[],
    claimed: readonly { readonly tenant_id: string; readonly webhook_id: string }[],
  ): void {
    const taken = Map.groupBy(claimed, (one) => keyOf(one.tenant_id, one.webhook_id));
    for (const turn of round) {
      const lane = this.#laneOf(turn);
      const got = taken.get(lane.key)?.length ?? 0;
      this.#count(lane, got - turn.limit);
      if (got >= turn.limit) this.#waiting.add(lane);
      this.#tidy(lane);
    }
  }

  /** A delivery is over. @param condition what was learned of the endpoint */
  leave(endpoint: EndpointRef, condition: Condition | undefined): void {
    const lane = this.#laneOf(endpoint);
    this.#count(lane, -1);
    if (condition) this.#learn(lane, condition);
    this.#tidy(lane);
  }

  /** Nothing was sent: there was no room further on. The endpoint waits until it is looked for what is due. */
  putOff(endpoint: EndpointRef): void {
    const lane = this.#laneOf(endpoint);
    this.#count(lane, -1);
    this.#waiting.delete(lane);
    this.#tidy(lane);
  }

  #laneOf({ tenantId, webhookId }: EndpointRef): Lane<Fresh> {
    const key = keyOf(tenantId, webhookId);
    const known = this.#lanes.get(key);
    if (known) return known;
    const endpoint = { tenantId, webhookId };
    const condition = this.#troubled.get(key);
    const lane: Lane<Fresh> = { key, endpoint, fresh: [], underWay: 0, condition };
    this.#lanes.set(key, lane);
    return lane;
  }

  #roomIn(lane: Lane<Fresh>): number {
    const room = mostOf(lane.condition) - lane.underWay;
    const share = this.#tenants.get(lane.endpoint.tenantId) ?? { underWay: 0, troubled: 0 };
    return Math.min(
      room,
      MOST - this.#all.underWay,
      MOST_OF_TENANT - share.underWay,
      isTroubled(lane) ? MOST_TROUBLED - this.#all.troubled : room,
      isTroubled(lane) ? MOST_TROUBLED_OF_TENANT - share.troubled : room,
    );
  }

  #learn(lane: Lane<Fresh>, condition: Condition): void {
    const { underWay } = lane;
    // Counted as what it was, then as what it is.
    this.#count(lane, -underWay);
    lane.condition = condition;
    this.#count(lane, underWay);
    if (isTroubled(lane)) this.#troubled.set(lane.key, condition);
    else this.#troubled.delete(lane.key);
  }

  #count(lane: Lane<Fresh>, by: number): void {
    const { tenantId } = lane.endpoint;
    const share = this.#tenants.get(tenantId) ?? { underWay: 0, troubled: 0 };
    lane.underWay += by;
    for (const one of [share, this.#all]) {
      one.underWay += by;
      if (isTroubled(lane)) one.troubled += by;
    }
    if (share.underWay > 0) this.#tenants.set(tenantId, share);
    else this.#tenants.delete(tenantId);
  }

  /** A lane that there is nothing in or for is forgotten. */
  #tidy(lane: Lane<Fresh>): void {
    const isEmpty = lane.underWay === 0 && lane.fresh.length === 0;
    if (isEmpty && !this.#waiting.has(lane)) this.#lanes.delete(lane.key);
  }
}

function mostOf(condition: Condition | undefined): number {
  if (condition === undefined) return MOST_AT_FIRST;
  return condition === 'failing' ? MOST_WHILE_FAILING : MOST_OF_ENDPOINT;
}

function isTroubled({ condition }: { readonly condition: Condition | undefined }): boolean {
  return condition === 'slow' || condition === 'failing';
}

function keyOf(tenantId: string, webhookId: string): string {
  return `${tenantId} ${webhookId}`;
}
