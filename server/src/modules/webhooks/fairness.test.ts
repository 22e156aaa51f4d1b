// Forty endpoints, one of which never answers and one of which takes its time.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type Receiver, startReceiver } from '@keywright/tests/harness/receiver';
import { until } from '@keywright/tests/harness/until';
import { Webhooks } from '@keywright/tests/harness/webhooks';

const ENDPOINTS = 40;
const EVENTS = 15;
const SLOW_MS = 1500;
/** Less than the slow one takes for two. */
const OTHERS_WITHIN_MS = 2500;

let keywright: Keywright;
let webhooks: Webhooks;
let receiver: Receiver;
const unanswered: ServerResponse[] = [];
/** When each delivery came, by the number of its endpoint. */
const arrivals = new Map<number, number[]>();

before(async () => {
  receiver = await startReceiver(
    (request, response) => {
      const number = Number(request.url?.slice(1));
      arrivals.set(number, [...(arrivals.get(number) ?? []), performance.now()]);
      request.resume();
      if (number === 0) unanswered.push(response);
      else setTimeout(() => response.end('taken'), number === 1 ? SLOW_MS : 0);
    },
    { address: '0.0.0.0' },
  );
  keywright = await startKeywright({ env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.0/8' } });
  webhooks = new Webhooks(await keywright.tenant('forty'));
});
after(async () => {
  // So that the one attempt that is still under way ends.
  for (const response of unanswered) response.destroy();
  await keywright.close();
  await receiver.close();
});

test('a dead endpoint and a slow one of forty hold up nobody else’s deliveries', async () => {
  for (let number = 0; number < ENDPOINTS; number += 1) {
    const url = `http://127.0.1.${number + 1}:${receiver.port}/${number}`;
    await webhooks.register(url, ['workspace.created']);
  }
  const began = performance.now();
  for (let event = 0; event < EVENTS; event += 1) {
    await webhooks.send('POST', '/workspaces', { name: `Room ${event}` });
  }
  const lastEvent = performance.now();
  const others = () => arrivals.entries().filter(([number]) => number > 1);
  await until('the others have all of them', () => {
    const counts = others().map(([, times]) => times.length);
    return (
      counts.toArray().length === ENDPOINTS - 2 && others().every(([, t]) => t.length >= EVENTS)
    );
  });
  const last = Math.max(...others().flatMap(([, times]) => times));
  assert.ok(last - lastEvent < OTHERS_WITHIN_MS, `${last - lastEvent} ms after the last event`);
  assert.ok(
    others().every(([, times]) => times.length === EVENTS),
    'each once',
  );
  // The dead one holds what an endpoint may that nothing is known of, and is asked for no more.
  assert.ok((arrivals.get(0) ?? []).length <= 4);
  assert.ok(performance.now() - began < 15_000);
});
