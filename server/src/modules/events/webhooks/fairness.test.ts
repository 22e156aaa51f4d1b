// Forty endpoints. Two do not respond: one never, the other only after all others are done.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type Receiver, startReceiver } from '@keywright/tests/harness/receiver';
import { until } from '@keywright/tests/harness/until';
import { Webhooks } from '@keywright/tests/harness/webhooks';

const ENDPOINTS = 40;
const EVENTS = 15;
const DEAD = 0;
const SLOW = 1;

let keywright: Keywright;
let webhooks: Webhooks;
let receiver: Receiver;
/** Pending responses of the dead endpoint, and of the slow one while it delays. */
const unanswered: ServerResponse[] = [];
let isSlow = true;
/** How many deliveries were received, by endpoint number. */
const arrivals = Array.from({ length: ENDPOINTS }, () => 0);

before(async () => {
  receiver = await startReceiver(
    (request, response) => {
      const number = Number(request.url?.slice(1));
      arrivals[number] = (arrivals[number] ?? 0) + 1;
      request.resume();
      if (number === DEAD || (number === SLOW && isSlow)) unanswered.push(response);
      else response.end('taken');
    },
    { address: '0.0.0.0' },
  );
  keywright = await startKeywright({ env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.0/8' } });
  webhooks = new Webhooks(await keywright.tenant('forty'));
});
after(async () => {
  // Ends the one attempt that is still in progress.
  for (const response of unanswered) response.destroy();
  await keywright.close();
  await receiver.close();
});

test('A dead and a slow endpoint among forty do not delay the others', async () => {
  for (let number = 0; number < ENDPOINTS; number += 1) {
    const url = `http://127.0.1.${number + 1}:${receiver.port}/${number}`;
    await webhooks.register(url, ['workspace.created']);
  }
  for (let event = 0; event < EVENTS; event += 1) {
    await webhooks.send('POST', '/workspaces', { name: `Room ${event}` });
  }
  const others = () => arrivals.slice(SLOW + 1);
  await until('the others have all of them', () => others().every((count) => count >= EVENTS));
  assert.ok(
    unanswered.every((response) => !response.closed),
    'while the first attempts at the two are still under way',
  );
  // Each endpoint has as many open attempts as an unknown endpoint can have, and gets no more.
  for (const number of [DEAD, SLOW]) assert.ok((arrivals[number] ?? 0) <= 4);
  isSlow = false;
  for (const response of unanswered) if (response.req.url === `/${SLOW}`) response.end('taken');
  await until('the slow one has all of them', () => arrivals[SLOW] === EVENTS);
  assert.deepEqual(new Set(others()), new Set([EVENTS]), 'each once');
});
