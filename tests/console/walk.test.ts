// Every screen of the console, with long and hostile texts, in both color schemes, on a phone and on a desk.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launchBrowser } from '../conformance/browser.ts';
import type { Browser } from 'playwright-core';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { Findings } from '../pages/findings.ts';
import { countRequests, inspect } from './inspection.ts';
import { enterConsole, type Operator } from './operator.ts';
import { type ConsoleWorld, furnish } from './world.ts';

/** What a screen may ask of the API. */
const MOST_REQUESTS = 5;
/** The overview counts what there is of each kind. */
const MOST_OF: Readonly<Record<string, number>> = { overview: 12 };

const browser = await launchBrowser();

describe(
  'every screen of the console',
  { skip: browser ? false : 'There is no Chromium here.' },
  () => {
    let keywright: Keywright;
    let world: ConsoleWorld;
    let operator: Operator;

    before(async () => {
      keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
      world = await furnish(keywright, 'walked');
      const { tenant, operator: person } = world;
      const origin = keywright.nodes[0]?.baseUrl ?? '';
      operator = await enterConsole(browser as Browser, { tenant, person, origin });
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
    });

    test('has no finding of axe, fits its window, takes no text for markup, and gives the browser nothing to complain of', async () => {
      const findings = new Findings();
      const asked = countRequests(operator.page);
      for (const [name, path] of Object.entries(world.screens)) {
        await operator.open(path);
        const requests = asked();
        if (requests > (MOST_OF[name] ?? MOST_REQUESTS))
          findings.add([`${requests} requests`], name);
        await inspect(operator.page, name, findings);
        findings.add(operator.complaints(), name);
      }
      findings.assertNone();
    });

    test('waits for whoever may not read it with the scope that is missing, and asks whoever is logged out to log in', async () => {
      const { tenant } = world;
      const member = await tenant.createUser();
      const origin = keywright.nodes[0]?.baseUrl ?? '';
      const own = await enterConsole(browser as Browser, { tenant, person: member, origin });
      await own.open('/audit');
      await own.page.getByText('read:audit').first().waitFor();
      const token = await tenant.adminToken();
      await tenant.request('DELETE', `/sessions?user_id=${member.user.id}`, { token });
      await own.open('/audit');
      await own.page.waitForSelector('#login-submit');
      assert.match(own.page.url(), /oauth\/continue/);
    });
  },
);
