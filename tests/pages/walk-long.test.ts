// Every page with very long texts.

import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { Findings } from './findings.ts';
import { LAYOUT } from './in-page.ts';
import { HEIGHT, WIDTHS } from './inspection.ts';
import { REVIEWED } from './locales.ts';
import { LONG } from './texts.ts';
import { walk, type Walked } from './walked.ts';

/** WCAG 2.2 §1.4.10: the width of 1,280 pixels at 400 %. */
const NARROWEST = 320;

const browser = await launchBrowser();

describe(
  'every page with long texts',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let walked: Walked;

    before(async () => {
      walked = await walk(LONG, 'long', REVIEWED);
    });
    after(async () => {
      await browser?.close();
      await walked.close();
    });

    test('Every page with long texts fits its window, even at 320 pixels', async () => {
      const findings = new Findings();
      await walked.look(browser as Browser, async ({ page, complaints }, { name, locale }) => {
        for (const width of [NARROWEST, ...WIDTHS]) {
          await page.setViewportSize({ width, height: HEIGHT });
          findings.add(await page.evaluate<string[]>(LAYOUT), `${name}, ${locale}, ${width}`);
        }
        findings.add(complaints(), `${name}, ${locale}`);
      });
      findings.assertNone();
    });
  },
);
