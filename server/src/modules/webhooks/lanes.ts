import { LRUCache } from 'lru-cache';
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
/** How many endpoints are asked about in one statement. */
const ENDPOINTS_AT_ONCE = 64;
/** Endpoints in trouble that are remembered while there is nothing for them. */
const MAX_REMEMBERED = 10_000;

/** How an endpoint is doing, by its last attempt. Slow is well in the end. */
export type Condition = 'well' | 'slow' | 'failing';

interface Lane {
  readonly key: string;
  readonly endpoint: EndpointRef;
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

/** Which endpoints there is something for, and how much room each has. Every endpoint gets its turn. */
export class Lanes {
  /** Of endpoints that something is under way to, or waits for. */
  readonly #lanes = new Map<string, Lane>();
  /** In the order of their turns. */
  readonly #waiting = new Set<Lane>();
  readonly #tenants = new Map<string, Share>();
  readonly #all: Share = { underWay: 0, troubled: 0 };
  readonly #troubled = new LRUCache<string, Condition>({ max: MAX_REMEMBERED });

  /** Something is due for this endpoint. */
  add(endpoint: EndpointRef): void {
    this.#waiting.add(this.#laneOf(endpoint));
  }

  /** The endpoints whose turn it is, with room that is theirs from now on. What is added later may be more. */
  next(): Turn[] {
    const round: Turn[] = [];
    for (const lane of this.#waiting) {
      if (round.length >= ENDPOINTS_AT_ONCE || this.#all.underWay >= MOST) break;
      const limit = this.#roomIn(lane);
      if (limit <= 0) continue;
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

  #laneOf({ tenantId, webhookId }: EndpointRef): Lane {
    const key = keyOf(tenantId, webhookId);
    const known = this.#lanes.get(key);
    if (known) return known;
    const endpoint = { tenantId, webhookId };
    const lane: Lane = { key, endpoint, underWay: 0, condition: this.#troubled.get(key) };
    this.#lanes.set(key, lane);
    return lane;
  }

  #roomIn(lane: Lane): number {
    const most = mostOf(lane.condition);
    const room = most - lane.underWay;
    // A long queue is taken in pieces, not one delivery per statement.
    if (lane.underWay > 0 && room < most / 2) return 0;
    const share = this.#tenants.get(lane.endpoint.tenantId) ?? { underWay: 0, troubled: 0 };
    return Math.min(
      room,
      MOST - this.#all.underWay,
      MOST_OF_TENANT - share.underWay,
      isTroubled(lane) ? MOST_TROUBLED - this.#all.troubled : room,
      isTroubled(lane) ? MOST_TROUBLED_OF_TENANT - share.troubled : room,
    );
  }

  #learn(lane: Lane, condition: Condition): void {
    const { underWay } = lane;
    // Counted as what it was, then as what it is.
    this.#count(lane, -underWay);
    lane.condition = condition;
    this.#count(lane, underWay);
    if (isTroubled(lane)) this.#troubled.set(lane.key, condition);
    else this.#troubled.delete(lane.key);
  }

  #count(lane: Lane, by: number): void {
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
  #tidy(lane: Lane): void {
    if (lane.underWay === 0 && !this.#waiting.has(lane)) this.#lanes.delete(lane.key);
  }
}

function mostOf(condition: Condition | undefined): number {
  if (condition === undefined) return MOST_AT_FIRST;
  return condition === 'failing' ? MOST_WHILE_FAILING : MOST_OF_ENDPOINT;
}

function isTroubled({ condition }: Lane): boolean {
  return condition === 'slow' || condition === 'failing';
}

function keyOf(tenantId: string, webhookId: string): string {
  return `${tenantId} ${webhookId}`;
}
