import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import type { Condition, KeyRef, Room, JobClaim } from './definition.ts';
import { KeyQueues } from './key-queues.ts';

/** The limits for deliveries to endpoints. */
const ROOM: Room = {
  all: 384,
  ofTenant: 128,
  ofKey: 10,
  atFirst: 4,
  whileFailing: 1,
  troubled: 192,
  troubledOfTenant: 48,
  waitingOfKey: 200,
  waiting: 5000,
};

function endpoint(number: number, tenant = 'a'): KeyRef {
  return { tenantId: `org_${tenant}` as TenantId, key: `wh_${number}` };
}

function endpoints(count: number, tenant = 'a'): KeyRef[] {
  return Array.from({ length: count }, (_, number) => endpoint(number, tenant));
}

/** As many deliveries as a turn has room for. */
function filled(round: readonly JobClaim[]) {
  return round.flatMap(({ tenantId, key, limit }) =>
    Array.from({ length: limit }, () => ({ tenantId, key })),
  );
}

/** Takes full rounds until there is no room. @returns how many deliveries each endpoint has in flight */
function fill(queues: KeyQueues<string>, refs: readonly KeyRef[]): Map<string, number> {
  for (const ref of refs) queues.add(ref);
  const inFlight = new Map<string, number>();
  for (let round = queues.next(); round.length > 0; round = queues.next()) {
    queues.enter(round, filled(round));
    for (const { tenantId, key, limit } of round) {
      const name = `${tenantId} ${key}`;
      inFlight.set(name, (inFlight.get(name) ?? 0) + limit);
    }
  }
  return inFlight;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return counts.values().reduce((all, count) => all + count, 0);
}

/** Records an endpoint's outcome by completing a delivery. */
function teach(queues: KeyQueues<string>, ref: KeyRef, condition: Condition): void {
  queues.add(ref);
  const round = queues.next();
  queues.enter(round, filled(round).slice(0, 1));
  queues.finish(ref, condition);
}

describe('a key, such as an endpoint', () => {
  test('An endpoint without history gets four concurrent deliveries, and ten after a success', () => {
    const queues = new KeyQueues<string>(ROOM);
    assert.deepEqual([...fill(queues, [endpoint(1)]).values()], [4]);
    for (let time = 0; time < 4; time += 1) queues.finish(endpoint(1), 'well');
    // An endpoint with pending deliveries keeps its record of success; it is forgotten when it has none.
    queues.add(endpoint(1));
    const [turn] = queues.next();
    assert.equal(turn?.limit, 10);
  });

  test('An endpoint that fails gets one delivery at a time until one succeeds', () => {
    const queues = new KeyQueues<string>(ROOM);
    teach(queues, endpoint(1), 'failing');
    assert.deepEqual([...fill(queues, [endpoint(1)]).values()], [1]);
    queues.finish(endpoint(1), 'failing');
    assert.deepEqual([...fill(queues, [endpoint(1)]).values()], [1]);
    queues.finish(endpoint(1), 'well');
    assert.deepEqual([...fill(queues, [endpoint(1)]).values()], [10]);
  });

  test('A queue that returned fewer jobs than there was room for is empty and is not polled again', () => {
    const queues = new KeyQueues<string>(ROOM);
    queues.add(endpoint(1));
    const round = queues.next();
    queues.enter(round, filled(round).slice(0, 3));
    assert.deepEqual(queues.next(), []);
    for (let time = 0; time < 3; time += 1) queues.finish(endpoint(1), 'well');
    assert.deepEqual(queues.next(), []);
  });

  test('An endpoint whose delivery was postponed waits until it is due', () => {
    const queues = new KeyQueues<string>(ROOM);
    queues.add(endpoint(1));
    queues.enter(queues.next(), filled([{ ...endpoint(1), limit: 4 }]));
    queues.putOff(endpoint(1));
    assert.deepEqual(queues.next(), []);
  });

  test('Each of hundreds of keys, such as endpoints, gets its turn, regardless of how long the other queues are', () => {
    const queues = new KeyQueues<string>(ROOM);
    for (const tenant of ['a', 'b', 'c']) for (const ref of endpoints(100, tenant)) queues.add(ref);
    const served: string[] = [];
    for (let time = 0; time < 7; time += 1) {
      const round = queues.next();
      served.push(...round.map(({ tenantId, key }) => `${tenantId} ${key}`));
      // Every delivery completes before the next round.
      queues.enter(round, filled(round));
      for (const ref of filled(round)) queues.finish(ref, 'well');
    }
    assert.equal(new Set(served).size, 300);
  });
});

describe('jobs queued by this node', () => {
  const offered = (queues: KeyQueues<string>, ref: KeyRef, count: number) =>
    Array.from({ length: count }, (_, number) => queues.offer(ref, `${ref.key} ${number}`)).filter(
      Boolean,
    ).length;

  test('Jobs queued by this node are sent in order as far as there is room, and the rest when there is room again', () => {
    const queues = new KeyQueues<string>(ROOM);
    assert.equal(offered(queues, endpoint(1), 6), 6);
    assert.deepEqual(queues.takeFresh(), ['wh_1 0', 'wh_1 1', 'wh_1 2', 'wh_1 3']);
    assert.deepEqual(queues.takeFresh(), []);
    queues.finish(endpoint(1), 'well');
    assert.deepEqual(queues.takeFresh(), ['wh_1 4', 'wh_1 5']);
  });

  test('Jobs queued by this node leave half of the room to due jobs in the database', () => {
    const queues = new KeyQueues<string>(ROOM);
    teach(queues, endpoint(1), 'well');
    offered(queues, endpoint(1), 20);
    queues.add(endpoint(1));
    const fresh = queues.takeFresh().length;
    const [turn] = queues.next();
    assert.deepEqual([fresh, turn?.limit], [2, 2]);
  });

  test('Jobs queued by this node wait in the database if an endpoint fails or too many are waiting', () => {
    const queues = new KeyQueues<string>(ROOM);
    teach(queues, endpoint(1), 'failing');
    assert.equal(offered(queues, endpoint(1), 1), 0);
    assert.equal(offered(queues, endpoint(2), 300), 200);
    const all = endpoints(40, 'b').map((ref) => offered(queues, ref, 200));
    assert.equal(
      all.reduce((together, count) => together + count, 200),
      5000,
    );
  });

  test('Jobs queued by this node count toward the limits like all others', () => {
    const queues = new KeyQueues<string>(ROOM);
    for (const ref of endpoints(100)) offered(queues, ref, 10);
    assert.equal(queues.takeFresh().length, 128);
    assert.deepEqual(fill(queues, [endpoint(1000)]).size, 0);
    assert.equal(offered(queues, endpoint(1, 'b'), 4), 4);
    assert.equal(queues.takeFresh().length, 4);
  });
});

describe('room', () => {
  test("The room for deliveries of a tenant is a third of its node's, so that no tenant takes all", () => {
    const queues = new KeyQueues<string>(ROOM);
    assert.equal(sum(fill(queues, endpoints(300, 'greedy'))), 128);
    assert.equal(sum(fill(queues, [endpoint(1, 'modest')])), 4);
  });

  test('The room for deliveries of a node is 384', () => {
    const queues = new KeyQueues<string>(ROOM);
    const all = ['a', 'b', 'c', 'd', 'e'].flatMap((tenant) => endpoints(100, tenant));
    assert.equal(sum(fill(queues, all)), 384);
  });

  for (const condition of ['slow', 'failing'] as const) {
    test(`The room for endpoints that are ${condition} is limited, so that others have the rest`, () => {
      const queues = new KeyQueues<string>(ROOM);
      const troubled = endpoints(60, 'a');
      for (const ref of troubled) teach(queues, ref, condition);
      assert.equal(sum(fill(queues, troubled)), 48);
      const others = Array.from({ length: 40 }, (_, number) => endpoint(1000 + number, 'a'));
      assert.equal(sum(fill(queues, others)), 128 - 48);
    });
  }

  test("The room for failing endpoints of all tenants together is half of the node's", () => {
    const queues = new KeyQueues<string>(ROOM);
    const tenants = ['a', 'b', 'c', 'd', 'e', 'f'];
    const troubled = tenants.flatMap((tenant) => endpoints(50, tenant));
    for (const ref of troubled) teach(queues, ref, 'failing');
    assert.equal(sum(fill(queues, troubled)), 192);
    assert.equal(sum(fill(queues, [endpoint(1, 'well')])), 4);
  });

  test('The room for deliveries is free again when they end', () => {
    const queues = new KeyQueues<string>(ROOM);
    for (let time = 0; time < 3; time += 1) {
      const inFlight = fill(queues, endpoints(300));
      assert.equal(sum(inFlight), 128);
      for (const [name, count] of inFlight) {
        const key = name.split(' ')[1] ?? '';
        for (let index = 0; index < count; index += 1) {
          queues.finish({ tenantId: 'org_a' as TenantId, key }, undefined);
        }
      }
    }
  });
});
