// Galleries of pages that a browser opens one after the other.

import type { Browser } from 'playwright-core';
import type { Gallery } from './world.ts';
import { newViewer, openScene, show, type Viewer } from './showing.ts';
import { openStage } from './stage.ts';
import type { Texts } from './texts.ts';

/** The number of cores of a small machine. */
const VIEWERS = 2;

export interface Shown {
  readonly name: string;
  readonly locale: string;
  /** The number of pages before it. */
  readonly turn: number;
}

/** Rendered pages, by name, in several languages. */
export interface Walked {
  /** Shows each page in its languages, in several tabs concurrently. */
  look(browser: Browser, at: (viewer: Viewer, shown: Shown) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param slug of the tenants that are walked
 * @param localesOf those in which the page with this number is shown; default all
 */
export async function walk(
  texts: Texts,
  slug: string,
  locales: readonly string[],
  localesOf: (page: number) => readonly string[] = () => locales,
): Promise<Walked> {
  const scene = await openScene();
  const galleries = new Map<string, Gallery>();
  for (const locale of locales) {
    galleries.set(locale, await scene.walk(texts, `${slug}-${locale}`, locale));
  }
  const [first = new Map<string, never>()] = galleries.values();
  const names = [...first].flatMap(([name, { seen }]) => (seen.text === '' ? [] : [name]));
  const stage = await openStage(galleries);
  return {
    async look(browser, at) {
      const pages = names.flatMap((name, page) => localesOf(page).map((locale) => [locale, name]));
      const left = [...pages.entries()];
      const runViewer = async () => {
        const viewer = await newViewer(browser, stage.origin);
        for (let next = left.shift(); next; next = left.shift()) {
          const [turn, [locale = '', name = '']] = next;
          await show(viewer, stage.addressOf(locale, name));
          await at(viewer, { name, locale, turn });
        }
        await viewer.context.close();
      };
      await Promise.all(Array.from({ length: VIEWERS }, runViewer));
    },
    async close() {
      await stage.close();
      await scene.close();
    },
  };
}
