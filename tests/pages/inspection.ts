// Checks of a page under users' conditions: in both color schemes, on a phone and on a desktop.

import { AXE_RUN, AXE_SOURCE } from './axe-run.ts';
import type { Findings } from './findings.ts';
import { LAYOUT } from './in-page.ts';
import type { Viewer } from './showing.ts';
import type { Shown } from './walked.ts';

export const WIDTHS = [1280, 390] as const;
export const HEIGHT = 800;
const SCHEMES = ['light', 'dark'] as const;

/**
 * Checks a page at each width, alternating between the color schemes and between the widths at which axe runs: four
 * turns cover everything. Overflow does not depend on colors.
 */
export async function inspect(
  { page, complaints }: Viewer,
  { name, locale, turn }: Shown,
  findings: Findings,
): Promise<void> {
  const language = await page.evaluate<string>('document.documentElement.lang');
  if (language !== locale) findings.add([`in the language ${language}`], `${name}, ${locale}`);
  await page.evaluate(AXE_SOURCE);
  for (const [index, width] of WIDTHS.entries()) {
    const colorScheme = SCHEMES[(turn + index) % SCHEMES.length] ?? 'light';
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate<string[]>(LAYOUT);
    const isItsTurn = Math.floor(turn / SCHEMES.length) % WIDTHS.length === index;
    if (isItsTurn) found.push(...(await page.evaluate<string[]>(AXE_RUN)));
    findings.add(found, `${name}, ${locale}, ${width} ${colorScheme}`);
  }
  findings.add(complaints(), `${name}, ${locale}`);
}
