// Every route of the contract, called by an agent with its API key.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { needsAdministrator } from '@keywright/contract/route';
import {
  sendExample,
  sendFreshExample,
  assertRefused,
  nameOf,
  routesOf,
} from './route-requests.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
after(() => world.close());

for (const route of routesOf('scope')) {
  if (needsAdministrator(route)) {
    test(`${nameOf(route)} rejects an agent, whatever its scopes (SPEC authentication 9b)`, async () => {
      const token = world.local.robot.key;
      assertRefused(await sendExample(world, route, { token }), 'ADMINISTRATOR_REQUIRED');
      assertRefused(
        await sendExample(world, route, { token, rawBody: '{' }),
        'ADMINISTRATOR_REQUIRED',
      );
    });
  } else {
    test(`${nameOf(route)} accepts the API key of an agent with its scope (SPEC authentication 1b)`, async () => {
      const { key: token } = await world.local.tenant.createAgent({ scopes: ['*:*'] });
      const answer = await sendFreshExample(world, route, { token });
      assert.equal(answer.status, route.ok.status, answer.text);
      const { key: other } = await world.local.tenant.createAgent({ scopes: ['read:nothing'] });
      assertRefused(await sendExample(world, route, { token: other }), 'SCOPE_REQUIRED');
    });
  }
}

for (const route of routesOf('user')) {
  test(`${nameOf(route)} rejects an agent`, async () => {
    assertRefused(
      await sendExample(world, route, { token: world.local.robot.key }),
      'USER_REQUIRED',
    );
  });
}

for (const route of routesOf('system')) {
  test(`${nameOf(route)} rejects an agent of the default tenant with all scopes`, async () => {
    const { key: token } = await world.keywright.home.createAgent({ scopes: ['*:*'] });
    const tenant = world.keywright.home.id;
    assertRefused(
      await sendExample(world, route, { token, tenant }),
      'SYSTEM_ADMINISTRATOR_REQUIRED',
    );
  });
}
