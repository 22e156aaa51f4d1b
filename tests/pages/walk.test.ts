// Every page under users' conditions, in one language of each direction, whose outlines are reviewed.

import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { Findings } from './findings.ts';
import { inspect } from './inspection.ts';
import { STEADY } from './in-page.ts';
import { REVIEWED } from './locales.ts';
import { PLAIN } from './texts.ts';
import { walk, type Walked } from './walked.ts';

const browser = await launchBrowser();

describe('every page', { skip: browser ? false : 'Chromium is not installed.' }, () => {
  const findings = new Findings();
  /** What a screen reader announces, by language and file. */
  const outlines = new Map<string, Map<string, string>>();
  let walked: Walked;

  before(async () => {
    walked = await walk(PLAIN, 'plain', REVIEWED);
    await walked.look(browser as Browser, async (viewer, shown) => {
      await inspect(viewer, shown, findings);
      await viewer.page.evaluate(STEADY);
      const outline = await viewer.page.locator('body').ariaSnapshot();
      const [file = '', ...states] = shown.name.split(' ');
      const key = `${shown.locale}/${file}.yml`;
      const outlineStates = outlines.get(key) ?? new Map<string, string>();
      outlines.set(key, outlineStates.set(states.join(' ') || 'first', outline));
    });
  });
  after(async () => {
    await browser?.close();
    await walked.close();
  });

  test('Every page passes axe, fits its window, has targets that a finger hits, and causes no browser complaint', () => {
    findings.assertNone();
  });

  test('Every page presents to screen readers what was reviewed: tests/pages/aria', (t) => {
    for (const [key, states] of outlines) {
      const text = [...states]
        .toSorted(([state], [other]) => (state < other ? -1 : 1))
        .map(([state, outline]) => `# ${state}\n${outline}\n`)
        .join('\n');
      const file = new URL(`aria/${key}`, import.meta.url).pathname;
      t.assert.fileSnapshot(text, file, { serializers: [String] });
    }
  });
});
