import type { EndpointRef } from './queue-store.ts';

/** How many deliveries are under way at once, in all and to one endpoint. */
const MOST = 512;
const MOST_PER_ENDPOINT = 10;
/** To an endpoint whose last so many attempts failed, one at a time is sent: dead ones must not fill the room. */
const FAILURES_TO_SLOW_DOWN = 3;
/** How many endpoints are asked about in one statement. */
const ENDPOINTS_AT_ONCE = 64;

interface Lane {
  readonly endpoint: EndpointRef;
  underWay: number;
  failures: number;
  /** There may be more for it than has been taken. */
  mayHaveMore: boolean;
}

/** An endpoint to take deliveries for, and how many. */
export interface Turn extends EndpointRef {
  readonly limit: number;
}

/** Which endpoints there is something for, and how much room each has. Every endpoint gets its turn. */
export class Lanes {
  /** In the order of their turns: who has had one goes to the end. */
  readonly #lanes = new Map<string, Lane>();
  #underWay = 0;

  /** Something is due for this endpoint. */
  add(endpoint: EndpointRef): void {
    this.#laneOf(endpoint).mayHaveMore = true;
  }

  /** The endpoints whose turn it is. What is announced from here on may be more than they get. */
  next(): Turn[] {
    const round: Turn[] = [];
    let room = MOST - this.#underWay;
    for (const lane of this.#lanes.values()) {
      const limit = Math.min(roomIn(lane), room);
      if (!lane.mayHaveMore || limit <= 0) continue;
      round.push({ ...lane.endpoint, limit });
      room -= limit;
      if (round.length >= ENDPOINTS_AT_ONCE) break;
    }
    for (const turn of round) this.#toTheEnd(turn);
    return round;
  }

  /** How much each of a round got. Who got all that there was room for may have more. */
  enter(
    round: readonly Turn[],
    claimed: readonly { readonly tenant_id: string; readonly webhook_id: string }[],
  ): void {
    const taken = Map.groupBy(claimed, (one) => keyOf(one.tenant_id, one.webhook_id));
    for (const turn of round) {
      const lane = this.#laneOf(turn);
      const count = taken.get(keyOf(turn.tenantId, turn.webhookId))?.length ?? 0;
      lane.underWay += count;
      this.#underWay += count;
      if (count >= turn.limit) lane.mayHaveMore = true;
      this.#tidy(lane);
    }
  }

  /** A delivery is over. */
  leave(endpoint: EndpointRef, isWell: boolean): void {
    const lane = this.#laneOf(endpoint);
    lane.underWay -= 1;
    this.#underWay -= 1;
    lane.failures = isWell ? 0 : lane.failures + 1;
    this.#tidy(lane);
  }

  #laneOf(endpoint: EndpointRef): Lane {
    const key = keyOf(endpoint.tenantId, endpoint.webhookId);
    const known = this.#lanes.get(key);
    if (known) return known;
    const { tenantId, webhookId } = endpoint;
    const lane = {
      endpoint: { tenantId, webhookId },
      underWay: 0,
      failures: 0,
      mayHaveMore: false,
    };
    this.#lanes.set(key, lane);
    return lane;
  }

  #toTheEnd({ tenantId, webhookId }: Turn): void {
    const key = keyOf(tenantId, webhookId);
    const lane = this.#lanes.get(key);
    if (!lane) return;
    lane.mayHaveMore = false;
    this.#lanes.delete(key);
    this.#lanes.set(key, lane);
  }

  /** An endpoint that nothing is to be remembered of is forgotten. */
  #tidy(lane: Lane): void {
    if (lane.underWay > 0 || lane.mayHaveMore || lane.failures > 0) return;
    this.#lanes.delete(keyOf(lane.endpoint.tenantId, lane.endpoint.webhookId));
  }
}

function roomIn(lane: Lane): number {
  const most = lane.failures >= FAILURES_TO_SLOW_DOWN ? 1 : MOST_PER_ENDPOINT;
  const room = most - lane.underWay;
  // A long queue is taken in pieces, not one delivery per statement.
  return lane.underWay > 0 && room < most / 2 ? 0 : room;
}

function keyOf(tenantId: string, webhookId: string): string {
  return `${tenantId} ${webhookId}`;
}
