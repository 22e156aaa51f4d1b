// The checks of every screen of the console.

import type { Page } from 'playwright-core';
import { AXE_RUN, AXE_SOURCE } from '../pages/axe-run.ts';
import type { Findings } from '../pages/findings.ts';
import { LAYOUT, RAW_IDS } from '../pages/in-page.ts';

const WIDTHS = [1280, 390] as const;
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 800;
/** WCAG 2.2 §1.4.10: the width of 1,280 pixels at 400 %. */
const NARROWEST = 320;
type Variant = readonly [width: (typeof WIDTHS)[number], colorScheme: (typeof SCHEMES)[number]];
export const VARIANTS: readonly Variant[] = WIDTHS.flatMap((width) =>
  SCHEMES.map((scheme) => [width, scheme] as const),
);

/** Counts the requests to the API since the last call. */
export function countRequests(page: Page): () => number {
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

/** The maximum number of requests of a screen to the API: six for the frame, and three for what most screens show. */
const MOST_REQUESTS = 9;
const MOST_OF: Readonly<Record<string, number>> = {
  // The page of a user summarizes their sessions, second factors, access and activity, with the names of all.
  'a user': 12,
  'the metadata of a user': 12,
  'a disabled user': 12,
  'access of a user': 12,
  // The choices of the question, and the names in the answer.
  'an explanation': 10,
  'a refusal': 11,
  // The overview counts each kind of record, and reads four that can need attention; one of those is counted anyway.
  overview: 16,
  // The tabs above a list count their records, and one request names the records in all rows.
  users: 11,
  'users, fewer columns': 11,
  sessions: 10,
  agents: 10,
  invitations: 10,
  'invitations, filtered': 10,
  'a webhook': 11,
  tenants: 10,
  // A list within a record, whose users are named by one request for all rows.
  'history of a user': 11,
};

export function tooManyRequests(screen: string, requests: number): string[] {
  return requests > (MOST_OF[screen] ?? MOST_REQUESTS) ? [`${requests} requests`] : [];
}

/** A screen that loads moves nothing. A rounding of positions can count as much as this. */
const MOST_SHIFT = 0.001;

/** What moved in the present document since it loaded. The page counts it: see `SHIFTS`. */
export async function shiftsOf(page: Page): Promise<string[]> {
  const { sum, moved } = await page.evaluate<Shifts>('takeShifts()');
  return sum > MOST_SHIFT ? [`moves by ${sum.toFixed(4)}: ${moved.join(', ')}`] : [];
}

interface Shifts {
  readonly sum: number;
  readonly moved: readonly string[];
}

/** Inspects the current screen. @param variants default: both color schemes, on a phone and on a desktop */
export async function inspect(
  page: Page,
  name: string,
  findings: Findings,
  variants = VARIANTS,
): Promise<void> {
  const isThere = await page.evaluate<boolean>('globalThis.axe !== undefined');
  if (!isThere) await page.evaluate(AXE_SOURCE);
  for (const [width, colorScheme] of variants) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const found = await page.evaluate<string[]>(LAYOUT);
    found.push(...(await page.evaluate<string[]>(AXE_RUN)));
    findings.add(found, `${name}, ${width} ${colorScheme}`);
  }
  await page.setViewportSize({ width: NARROWEST, height: HEIGHT });
  findings.add(await page.evaluate<string[]>(LAYOUT), `${name}, ${NARROWEST}`);
  findings.add(await page.evaluate<string[]>(RAW_IDS), name);
  const isHacked = await page.evaluate<boolean>('globalThis.hacked !== undefined');
  if (isHacked) findings.add(['takes a text for markup'], name);
}
