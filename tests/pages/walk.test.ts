// Every page as people have it: in each language, in both color schemes, on a phone and on a desk.

import { after, before, describe, test } from 'node:test';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import type { Gallery } from './world.ts';
import { AXE_RUN } from './axe-run.ts';
import { Findings } from './findings.ts';
import { LAYOUT, STEADY } from './in-page.ts';
import { LOCALES, REVIEWED } from './locales.ts';
import { newViewer, openScene, type Scene, show, type Viewer } from './showing.ts';
import { openStage, type Stage } from './stage.ts';
import { LONG, PLAIN } from './texts.ts';

const WIDTHS = [1280, 390] as const;
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 800;
/** WCAG 2.2 §1.4.10: that of 1,280 pixels at 400 %. */
const NARROWEST = 320;
/** As many as a small machine has cores. */
const VIEWERS = 2;

const VARIANTS = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => [width, scheme] as const));

const browser = await launchBrowser();

describe('every page', { skip: browser ? false : 'There is no Chromium here.' }, () => {
  let scene: Scene;
  let stage: Stage;
  let names: readonly string[];

  before(async () => {
    scene = await openScene();
    const galleries = new Map<string, Gallery>();
    for (const locale of LOCALES) {
      galleries.set(locale, await scene.walk(PLAIN, `plain-${locale}`, locale));
    }
    for (const locale of REVIEWED) {
      galleries.set(`${locale} long`, await scene.walk(LONG, `long-${locale}`, locale));
    }
    const [first = new Map<string, never>()] = galleries.values();
    names = [...first].flatMap(([name, { seen }]) => (seen.text === '' ? [] : [name]));
    stage = await openStage(galleries);
  });
  after(async () => {
    await browser?.close();
    await stage.close();
    await scene.close();
  });

  /** Shows each page of these galleries in turn, in several tabs at once. */
  async function look(
    galleries: readonly string[],
    at: (viewer: Viewer, name: string, gallery: string, turn: number) => Promise<void>,
  ): Promise<void> {
    const pages = names.flatMap((name) => galleries.map((gallery) => [gallery, name] as const));
    const left = [...pages.entries()];
    const visit = async () => {
      const viewer = await newViewer(browser as Browser, stage.origin);
      for (let next = left.shift(); next; next = left.shift()) {
        const [turn, [gallery, name]] = next;
        await show(viewer, stage.addressOf(gallery, name));
        await at(viewer, name, gallery, turn);
      }
      await viewer.context.close();
    };
    await Promise.all(Array.from({ length: VIEWERS }, visit));
  }

  describe('in each language, color scheme and width', () => {
    const findings = new Findings();
    /** What a screen reader is told, by language and file. */
    const outlines = new Map<string, Map<string, string>>();

    before(async () => {
      await look(LOCALES, async (viewer, name, locale, turn) => {
        await inspect(viewer, `${name}, ${locale}`, turn, findings);
        const language = await viewer.page.evaluate<string>('document.documentElement.lang');
        if (language !== locale)
          findings.add([`in the language ${language}`], `${name}, ${locale}`);
        if (!REVIEWED.includes(locale)) return;
        await viewer.page.evaluate(STEADY);
        const outline = await viewer.page.locator('body').ariaSnapshot();
        const [file = '', ...states] = name.split(' ');
        const key = `${locale}/${file}.yml`;
        const known = outlines.get(key) ?? new Map<string, string>();
        outlines.set(key, known.set(states.join(' ') || 'first', outline));
      });
    });

    test('has no finding of axe, fits its window, has targets that a finger hits, and nothing that the browser complains of', () => {
      findings.assertNone();
    });

    test('says to screen readers what was reviewed: tests/pages/aria', (t) => {
      for (const [key, states] of outlines) {
        const text = [...states]
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([state, outline]) => `# ${state}\n${outline}\n`)
          .join('\n');
        const file = new URL(`aria/${key}`, import.meta.url).pathname;
        t.assert.fileSnapshot(text, file, { serializers: [String] });
      }
    });
  });

  test('fits its window with long texts, at 320 pixels too', async () => {
    const findings = new Findings();
    const galleries = REVIEWED.map((locale) => `${locale} long`);
    await look(galleries, async ({ page, complaints }, name, gallery) => {
      for (const width of [NARROWEST, ...WIDTHS]) {
        await page.setViewportSize({ width, height: HEIGHT });
        findings.add(await page.evaluate<string[]>(LAYOUT), `${name}, ${gallery}, ${width}`);
      }
      findings.add(complaints(), `${name}, ${gallery}`);
    });
    findings.assertNone();
  });
});

/** Looks at a page in every color scheme and width; with axe in turns, in each variant at least once for each page. */
async function inspect(
  { page, complaints }: Viewer,
  name: string,
  turn: number,
  findings: Findings,
): Promise<void> {
  await page.evaluate(axe.source);
  for (const [index, [width, colorScheme]] of VARIANTS.entries()) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate<string[]>(LAYOUT);
    const isItsTurn = (turn + index) % Math.min(VARIANTS.length, LOCALES.length) === 0;
    if (isItsTurn) found.push(...(await page.evaluate<string[]>(AXE_RUN)));
    findings.add(found, `${name}, ${width} ${colorScheme}`);
  }
  findings.add(complaints(), name);
}
