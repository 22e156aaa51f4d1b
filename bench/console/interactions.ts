import type { Page } from '@keywright/tests/conformance/browser';
import { type Interaction, SETTLED, TAKE, type Taken } from './in-page.ts';

export interface InteractionRound {
  /** Interaction to Next Paint: the slowest interaction, ignoring one in fifty. */
  readonly inpMs: number;
  readonly slowest: readonly string[];
  readonly screens: number;
}

/** INP ignores the slowest of this many interactions. */
const INTERACTIONS_PER_IGNORED = 50;
const NAMED = 4;
/** In the navigation. The breadcrumb of an open screen and the bar of narrow windows lead to screens as well. */
const LINKS = '.rail .nav a';

/** Opens each screen of the navigation by a click, and opens the palette there with the keyboard. */
export async function measureInteractions(page: Page): Promise<InteractionRound> {
  const links = page.locator(LINKS);
  const screens = await links.count();
  const found: (Interaction & { readonly screen: string })[] = [];
  const { count: before } = await page.evaluate<Taken>(TAKE);
  let count = before;
  for (let place = 0; place < screens; place += 1) {
    const screen = await links.nth(place).innerText();
    await links.nth(place).click();
    await page.evaluate(SETTLED);
    await page.keyboard.press('Tab');
    await goByPalette(page);
    await page.evaluate(SETTLED);
    const taken = await page.evaluate<Taken>(TAKE);
    found.push(...taken.interactions.map((interaction) => ({ ...interaction, screen })));
    ({ count } = taken);
  }
  const slowest = found.toSorted((interaction, other) => other.duration - interaction.duration);
  return {
    inpMs: slowest[Math.floor((count - before) / INTERACTIONS_PER_IGNORED)]?.duration ?? 0,
    slowest: slowest
      .slice(0, NAMED)
      .map(({ screen, duration, what }) => `${screen} ${duration} (${what})`),
    screens,
  };
}

/** Loads each screen by its URL without interacting. @returns the cumulative layout shift of the least stable screen */
export async function loadScreens(page: Page): Promise<{ screen: string; shifted: number }> {
  const links = page.locator(LINKS);
  const addresses = await links.evaluateAll((all) => all.map(String));
  let most = { screen: 'none', shifted: 0 };
  for (const screen of addresses) {
    await page.goto(screen);
    await page.evaluate(SETTLED);
    const { shifted } = await page.evaluate<Taken>(TAKE);
    if (shifted > most.shifted) most = { screen: new URL(screen).pathname, shifted };
  }
  return most;
}

/** Opens the palette, searches, and closes it. */
async function goByPalette(page: Page): Promise<void> {
  const palette = page.getByRole('dialog').getByRole('combobox');
  await page.keyboard.press('Control+k');
  await palette.waitFor();
  for (const key of ['u', 's', 'ArrowDown', 'Escape']) await page.keyboard.press(key);
  await palette.waitFor({ state: 'hidden' });
}
