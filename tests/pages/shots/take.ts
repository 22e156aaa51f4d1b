import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../conformance/browser.ts';
import type { Gallery } from '../world.ts';
import { STEADY } from '../in-page.ts';
import { LOCALES, REVIEWED } from '../locales.ts';
import { newViewer, openScene, type Scene, show } from '../showing.ts';
import { openStage, type Stage } from '../stage.ts';
import { LONG, PLAIN } from '../texts.ts';

const WIDTHS = [1440, 1280, 390];
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 800;
/** The number of cores of a small machine. */
const VIEWERS = 2;

/** A page, in six pictures. */
export interface Taken {
  readonly gallery: string;
  readonly page: string;
  /** Paths in the folder. */
  readonly pictures: readonly string[];
}

interface Selection {
  /** A part of the names of the pages. */
  readonly only: string;
  /** Default: all. */
  readonly locale: string | undefined;
}

/** @throws where there is no browser */
export async function takePictures(folder: string, selection: Selection): Promise<Taken[]> {
  const browser = await launchBrowser();
  if (!browser) throw new Error('Chromium is not installed.');
  const scene = await openScene();
  const galleries = await galleriesOf(scene, selection.locale);
  const stage = await openStage(galleries);
  try {
    const left = [...galleries].flatMap(([gallery, pages]) =>
      [...pages].flatMap(([page, { seen }]) =>
        seen.text !== '' && page.includes(selection.only) ? [{ gallery, page }] : [],
      ),
    );
    return await takeAll(browser, stage, folder, left);
  } finally {
    await browser.close();
    await stage.close();
    await scene.close();
  }
}

/** Returns the galleries in each language, and with long texts. */
async function galleriesOf(scene: Scene, only = ''): Promise<ReadonlyMap<string, Gallery>> {
  const chosen = (locales: readonly string[]) =>
    locales.filter((locale) => locale.startsWith(only));
  const galleries = new Map<string, Gallery>();
  for (const locale of chosen(LOCALES)) {
    galleries.set(locale, await scene.walk(PLAIN, `plain-${locale}`, locale));
  }
  for (const locale of chosen(REVIEWED)) {
    galleries.set(`${locale} long`, await scene.walk(LONG, `long-${locale}`, locale));
  }
  return galleries;
}

async function takeAll(
  browser: Browser,
  stage: Stage,
  folder: string,
  left: Pick<Taken, 'gallery' | 'page'>[],
): Promise<Taken[]> {
  const taken: Taken[] = [];
  const runViewer = async () => {
    const viewer = await newViewer(browser, stage.origin);
    for (let next = left.shift(); next; next = left.shift()) {
      const { gallery, page } = next;
      await show(viewer, stage.addressOf(gallery, page));
      await viewer.page.evaluate(STEADY);
      const pictures: string[] = [];
      for (const [width, colorScheme] of WIDTHS.flatMap((pixels) =>
        SCHEMES.map((scheme) => [pixels, scheme] as const),
      )) {
        await viewer.page.setViewportSize({ width, height: HEIGHT });
        await viewer.page.emulateMedia({ colorScheme });
        const picture = join(gallery, `${page} ${colorScheme} ${width}.png`);
        await mkdir(dirname(join(folder, picture)), { recursive: true });
        await writeFile(join(folder, picture), await viewer.page.screenshot({ fullPage: true }));
        pictures.push(picture);
      }
      taken.push({ gallery, page, pictures });
    }
    await viewer.context.close();
  };
  await Promise.all(Array.from({ length: VIEWERS }, runViewer));
  const key = ({ gallery, page }: Taken) => `${gallery} ${page}`;
  return taken.toSorted((picture, other) => (key(picture) < key(other) ? -1 : 1));
}
