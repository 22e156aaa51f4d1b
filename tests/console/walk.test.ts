// Every screen of the console, in English and Arabic, in one of four widths and schemes by turns; in the deep tests in all.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launchBrowser } from '../conformance/browser.ts';
import type { Browser } from 'playwright-core';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { selectVariants } from '../harness/tier.ts';
import { enterConsole } from './operator.ts';
import { walkScreens } from './walked.ts';
import { type ConsoleWorld, furnish } from './world.ts';

const browser = await launchBrowser();

describe(
  'every screen of the console',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let keywright: Keywright;
    let world: ConsoleWorld;

    before(async () => {
      keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
      world = await furnish(keywright, 'walked');
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
    });

    test('No console screen has an axe finding, exceeds its window, moves anything while it loads, takes text for markup, shows the ID of a user or session as text, shows a sentence in another language, or causes a browser error', async () => {
      const walked = { keywright, world, variantsOf: selectVariants };
      (await walkScreens(browser as Browser, walked)).assertNone();
    });

    test('Every console screen names the missing scope to a user who cannot read it, and asks a logged-out user to log in', async () => {
      const { tenant } = world;
      const member = await tenant.createUser();
      const origin = keywright.nodes[0]?.baseUrl ?? '';
      const memberConsole = await enterConsole(browser as Browser, {
        tenant,
        person: member,
        origin,
      });
      await memberConsole.open('/audit');
      await memberConsole.page.getByText('read:audit').first().waitFor();
      const token = await tenant.adminToken();
      await tenant.request('DELETE', `/sessions?user_id=${member.user.id}`, { token });
      await memberConsole.open('/audit');
      await memberConsole.page.waitForSelector('#login-submit');
      assert.match(memberConsole.page.url(), /oauth\/continue/);
    });
  },
);
