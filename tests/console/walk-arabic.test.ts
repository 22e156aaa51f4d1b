// Every screen of the console from right to left, dark on a desk and light on a phone.

import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { walkScreens } from './walked.ts';
import { type ConsoleWorld, furnish } from './world.ts';

const browser = await launchBrowser();

describe(
  'every screen of the console, in Arabic',
  { skip: browser ? false : 'There is no Chromium here.' },
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

    test('has no finding of axe, fits its window, takes no text for markup, and gives the browser nothing to complain of', async () => {
      (await walkScreens(browser as Browser, { keywright, world, locale: 'ar' })).assertNone();
    });
  },
);
