import type { Page } from '@keywright/tests/conformance/browser';
import { type Interaction, SETTLED, TAKE, type Taken } from './in-page.ts';
import { KINDS, LINKS } from './kinds.ts';

/** The interactions of one kind, in one round. */
export interface KindRound {
  readonly kind: string;
  readonly interactions: readonly Interaction[];
  /** Including those shorter than a frame. */
  readonly count: number;
}

/** INP ignores the slowest of this many interactions. */
const INTERACTIONS_PER_IGNORED = 50;
const NAMED = 3;

/** Performs the interactions of each kind. @param base the address of the tenant's console */
export async function measureInteractions(page: Page, base: string): Promise<KindRound[]> {
  const rounds: KindRound[] = [];
  for (const { name, path, times, act } of KINDS) {
    await page.goto(`${base}${path}`);
    await page.evaluate(SETTLED);
    await page.evaluate(TAKE);
    for (let time = 0; time < times; time += 1) {
      await act(page);
      await page.evaluate(SETTLED);
    }
    const { interactions, count } = await page.evaluate<Taken>(TAKE);
    rounds.push({ kind: name, interactions, count });
  }
  return rounds;
}

/** Interaction to Next Paint: the slowest interaction, ignoring one in fifty. */
export function inpOf(rounds: readonly KindRound[]): number {
  const count = rounds.reduce((sum, round) => sum + round.count, 0);
  return slowestOf(rounds)[Math.floor(count / INTERACTIONS_PER_IGNORED)]?.duration ?? 0;
}

export function describeSlowest(rounds: readonly KindRound[]): string {
  const slowest = slowestOf(rounds).slice(0, NAMED);
  return slowest.map(({ duration, what }) => `${duration} (${what})`).join('; ');
}

function slowestOf(rounds: readonly KindRound[]): readonly Interaction[] {
  const all = rounds.flatMap(({ interactions }) => interactions);
  return all.toSorted((interaction, other) => other.duration - interaction.duration);
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
