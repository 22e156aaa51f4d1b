// The pages on which users enter the codes of devices, in all their states.

import { startDevice, type Device, deviceClient } from '../harness/device.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import type { Seen, Visitor } from '../harness/visitor.ts';
import type { World } from './world.ts';

/** The parts of the enclosing walk that a walk through devices needs. */
interface Walking {
  readonly world: World;
  readonly tenant: TestTenant;
  readonly newBrowser: () => Visitor;
  readonly createUser: () => Promise<TestUser>;
  readonly keep: (name: string, browser: Visitor, step?: Promise<Seen>) => Promise<void>;
}

export async function walkDevices(walking: Walking, scopes: readonly string[]): Promise<void> {
  const { world, tenant, newBrowser, createUser, keep } = walking;
  const { texts } = world;
  const client = await deviceClient(tenant, { name: texts.client, scopes });
  const path = `/t/${tenant.id}/oauth/device`;
  const [browser, other] = [newBrowser(), newBrowser()];
  const start = () => startDevice(tenant, client);
  const type = async (by: Visitor, { userCode }: Device) => {
    await by.open(path);
    return by.press('device', { user_code: userCode });
  };
  await keep('deviceView', browser, browser.open(path));
  const typed = texts.typed.slice(0, 32);
  await keep('deviceView failed', browser, browser.press('device', { user_code: typed }));
  await keep('deviceView given', browser, browser.open(`${path}?user_code=WDJB-MJHT`));
  const { identifier, password: secret } = await createUser();
  const [device, denied] = [await start(), await start()];
  await type(browser, device);
  await keep('consentView device', browser, browser.press('login', { identifier, secret }));
  await type(other, device);
  await other.press('login', { identifier, secret });
  await keep('deviceEndView connected', browser, browser.press('allow'));
  await keep('deviceEndView over', other, other.press('allow'));
  await type(browser, denied);
  await keep('deviceEndView denied', browser, browser.press('deny'));
  // What this user cannot allow.
  const fields = { name: texts.client, scopes: ['delete:tenant'] };
  const more = { scope: 'delete:tenant' };
  const refused = await startDevice(tenant, await deviceClient(tenant, fields), more);
  await keep('deviceEndView refused', browser, type(browser, refused));
}
