// Every screen of the console, with long and hostile texts, in both color schemes, on a phone and on a desk.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import axe from 'axe-core';
import { launchBrowser } from '../conformance/browser.ts';
import type { Browser, Page } from 'playwright-core';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { Findings } from '../pages/findings.ts';
import { AXE_RUN } from '../pages/axe-run.ts';
import { LAYOUT } from '../pages/in-page.ts';
import { enterConsole, type Operator } from './operator.ts';
import { type ConsoleWorld, furnish } from './world.ts';

const WIDTHS = [1280, 390] as const;
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 800;
/** WCAG 2.2 §1.4.10: that of 1,280 pixels at 400 %. */
const NARROWEST = 320;
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

/** Those to the API, since the last time. */
function countRequests(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().includes('/console/api/')) count += 1;
  });
  return () => {
    const counted = count;
    count = 0;
    return counted;
  };
}

async function inspect(page: Page, name: string, findings: Findings): Promise<void> {
  await page.evaluate(axe.source);
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize({ width, height: HEIGHT });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const found = await page.evaluate<string[]>(LAYOUT);
      found.push(...(await page.evaluate<string[]>(AXE_RUN)));
      findings.add(found, `${name}, ${width} ${colorScheme}`);
    }
  }
  await page.setViewportSize({ width: NARROWEST, height: HEIGHT });
  findings.add(await page.evaluate<string[]>(LAYOUT), `${name}, ${NARROWEST}`);
  const isHacked = await page.evaluate<boolean>('globalThis.hacked !== undefined');
  if (isHacked) findings.add(['takes a text for markup'], name);
}
