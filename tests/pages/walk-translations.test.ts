// Every page in the four languages whose outlines are not reviewed: `npm test` opens each page in one of them, in turn,
// and the deep tests open it in all.

import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { selectVariants } from '../harness/tier.ts';
import { Findings } from './findings.ts';
import { LAYOUT, SHORT_LABELS } from './in-page.ts';
import { inspect } from './inspection.ts';
import { LOCALES, REVIEWED } from './locales.ts';
import { PLAIN } from './texts.ts';
import { walk, type Walked } from './walked.ts';

const TRANSLATIONS = LOCALES.filter((locale) => !REVIEWED.includes(locale));

const browser = await launchBrowser();

describe('every translated page', { skip: browser ? false : 'Chromium is not installed.' }, () => {
  let walked: Walked;

  before(async () => {
    const inTurn = (page: number) => selectVariants(TRANSLATIONS, page);
    walked = await walk(PLAIN, 'translated', TRANSLATIONS, inTurn);
  });
  after(async () => {
    await browser?.close();
    await walked.close();
  });

  test('Every translated page is in its language, passes axe, fits its window, has targets a finger hits whatever their labels, and causes no browser complaint', async () => {
    const findings = new Findings();
    await walked.look(browser as Browser, async (viewer, shown) => {
      await inspect(viewer, shown, findings);
      await viewer.page.evaluate(SHORT_LABELS);
      const found = await viewer.page.evaluate<string[]>(LAYOUT);
      findings.add(found, `${shown.name}, ${shown.locale}, labels of one character`);
    });
    findings.assertNone();
  });
});
