import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TenantId, WebhookId } from '@keywright/contract/ids';
import { type Condition, Lanes, type Turn } from './lanes.ts';
import type { EndpointRef } from './queue-store.ts';

function endpoint(number: number, tenant = 'a'): EndpointRef {
  return { tenantId: `org_${tenant}` as TenantId, webhookId: `wh_${number}` as WebhookId };
}

function endpoints(count: number, tenant = 'a'): EndpointRef[] {
  return Array.from({ length: count }, (_, number) => endpoint(number, tenant));
}

/** As many deliveries as a turn has room for. */
function filled(round: readonly Turn[]) {
  return round.flatMap(({ tenantId, webhookId, limit }) =>
    Array.from({ length: limit }, () => ({ tenant_id: tenantId, webhook_id: webhookId })),
  );
}

/** Takes rounds until there is no room, all full. @returns how many deliveries each endpoint has under way */
function fill(lanes: Lanes<string>, wanted: readonly EndpointRef[]): Map<string, number> {
  for (const one of wanted) lanes.add(one);
  const underWay = new Map<string, number>();
  for (let round = lanes.next(); round.length > 0; round = lanes.next()) {
    lanes.enter(round, filled(round));
    for (const { tenantId, webhookId, limit } of round) {
      const key = `${tenantId} ${webhookId}`;
      underWay.set(key, (underWay.get(key) ?? 0) + limit);
    }
  }
  return underWay;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return counts.values().reduce((all, one) => all + one, 0);
}

/** An endpoint that a delivery has just come back from. */
function teach(lanes: Lanes<string>, one: EndpointRef, condition: Condition): void {
  lanes.add(one);
  const round = lanes.next();
  lanes.enter(round, filled(round).slice(0, 1));
  lanes.leave(one, condition);
}

describe('an endpoint', () => {
  test('that nothing is known of gets four deliveries at once, and ten once it did well', () => {
    const lanes = new Lanes<string>();
    assert.deepEqual([...fill(lanes, [endpoint(1)]).values()], [4]);
    for (let time = 0; time < 4; time += 1) lanes.leave(endpoint(1), 'well');
    // It is forgotten when there is nothing for it; while there is, it is known to do well.
    lanes.add(endpoint(1));
    const [turn] = lanes.next();
    assert.equal(turn?.limit, 10);
  });

  test('that fails gets one at a time, until one gets there', () => {
    const lanes = new Lanes<string>();
    teach(lanes, endpoint(1), 'failing');
    assert.deepEqual([...fill(lanes, [endpoint(1)]).values()], [1]);
    lanes.leave(endpoint(1), 'failing');
    assert.deepEqual([...fill(lanes, [endpoint(1)]).values()], [1]);
    lanes.leave(endpoint(1), 'well');
    assert.deepEqual([...fill(lanes, [endpoint(1)]).values()], [10]);
  });

  test('that got less than there was room for has nothing more, and is not asked about again', () => {
    const lanes = new Lanes<string>();
    lanes.add(endpoint(1));
    const round = lanes.next();
    lanes.enter(round, filled(round).slice(0, 3));
    assert.deepEqual(lanes.next(), []);
    for (let time = 0; time < 3; time += 1) lanes.leave(endpoint(1), 'well');
    assert.deepEqual(lanes.next(), []);
  });

  test('whose delivery was put off waits until it is looked for what is due', () => {
    const lanes = new Lanes<string>();
    lanes.add(endpoint(1));
    lanes.enter(lanes.next(), filled([{ ...endpoint(1), limit: 4 }]));
    lanes.putOff(endpoint(1));
    assert.deepEqual(lanes.next(), []);
  });

  test('among hundreds has its turn, however much there is for each', () => {
    const lanes = new Lanes<string>();
    for (const tenant of ['a', 'b', 'c']) for (const one of endpoints(100, tenant)) lanes.add(one);
    const asked: string[] = [];
    for (let time = 0; time < 7; time += 1) {
      const round = lanes.next();
      asked.push(...round.map(({ tenantId, webhookId }) => `${tenantId} ${webhookId}`));
      // Nothing gets stuck: what was taken is over before the next round.
      lanes.enter(round, filled(round));
      for (const { tenant_id: tenantId, webhook_id: webhookId } of filled(round)) {
        lanes.leave({ tenantId, webhookId }, 'well');
      }
    }
    assert.equal(new Set(asked).size, 300);
  });
});

describe('what this node has queued itself', () => {
  const offered = (lanes: Lanes<string>, one: EndpointRef, count: number) =>
    Array.from({ length: count }, (_, number) =>
      lanes.offer(one, `${one.webhookId} ${number}`),
    ).filter(Boolean).length;

  test('is sent in its order as far as there is room, and the rest when there is room again', () => {
    const lanes = new Lanes<string>();
    assert.equal(offered(lanes, endpoint(1), 6), 6);
    assert.deepEqual(lanes.takeFresh(), ['wh_1 0', 'wh_1 1', 'wh_1 2', 'wh_1 3']);
    assert.deepEqual(lanes.takeFresh(), []);
    lanes.leave(endpoint(1), 'well');
    assert.deepEqual(lanes.takeFresh(), ['wh_1 4', 'wh_1 5']);
  });

  test('leaves half of the room to what is due in the database', () => {
    const lanes = new Lanes<string>();
    teach(lanes, endpoint(1), 'well');
    offered(lanes, endpoint(1), 20);
    lanes.add(endpoint(1));
    const fresh = lanes.takeFresh().length;
    const [turn] = lanes.next();
    assert.deepEqual([fresh, turn?.limit], [2, 2]);
  });

  test('waits in the database where an endpoint fails, or where too much waits already', () => {
    const lanes = new Lanes<string>();
    teach(lanes, endpoint(1), 'failing');
    assert.equal(offered(lanes, endpoint(1), 1), 0);
    assert.equal(offered(lanes, endpoint(2), 300), 200);
    const all = endpoints(40, 'b').map((one) => offered(lanes, one, 200));
    assert.equal(
      all.reduce((together, count) => together + count, 200),
      5000,
    );
  });

  test('counts as under way like everything else', () => {
    const lanes = new Lanes<string>();
    for (const one of endpoints(100)) offered(lanes, one, 10);
    assert.equal(lanes.takeFresh().length, 128);
    assert.deepEqual(fill(lanes, [endpoint(1000)]).size, 0);
    assert.equal(offered(lanes, endpoint(1, 'b'), 4), 4);
    assert.equal(lanes.takeFresh().length, 4);
  });
});

describe('room', () => {
  test('of a tenant is a third of that of the node, so that no tenant takes all', () => {
    const lanes = new Lanes<string>();
    assert.equal(sum(fill(lanes, endpoints(300, 'greedy'))), 128);
    assert.equal(sum(fill(lanes, [endpoint(1, 'modest')])), 4);
  });

  test('of a node ends at 384', () => {
    const lanes = new Lanes<string>();
    const all = ['a', 'b', 'c', 'd', 'e'].flatMap((tenant) => endpoints(100, tenant));
    assert.equal(sum(fill(lanes, all)), 384);
  });

  for (const condition of ['slow', 'failing'] as const) {
    test(`for endpoints that are ${condition} is limited, so that the others have the rest`, () => {
      const lanes = new Lanes<string>();
      const troubled = endpoints(60, 'a');
      for (const one of troubled) teach(lanes, one, condition);
      assert.equal(sum(fill(lanes, troubled)), 48);
      const others = Array.from({ length: 40 }, (_, number) => endpoint(1000 + number, 'a'));
      assert.equal(sum(fill(lanes, others)), 128 - 48);
    });
  }

  test('for endpoints in trouble of all tenants together is half of that of the node', () => {
    const lanes = new Lanes<string>();
    const tenants = ['a', 'b', 'c', 'd', 'e', 'f'];
    const troubled = tenants.flatMap((tenant) => endpoints(50, tenant));
    for (const one of troubled) teach(lanes, one, 'failing');
    assert.equal(sum(fill(lanes, troubled)), 192);
    assert.equal(sum(fill(lanes, [endpoint(1, 'well')])), 4);
  });

  test('that was used is there again when the deliveries are over', () => {
    const lanes = new Lanes<string>();
    for (let time = 0; time < 3; time += 1) {
      const underWay = fill(lanes, endpoints(300));
      assert.equal(sum(underWay), 128);
      for (const [key, count] of underWay) {
        const webhookId = key.split(' ')[1] as WebhookId;
        for (let one = 0; one < count; one += 1) {
          lanes.leave({ tenantId: 'org_a' as TenantId, webhookId }, undefined);
        }
      }
    }
  });
});
