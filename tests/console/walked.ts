// All screens of the console, with long and hostile texts. Each is loaded and inspected in one language, then
// switched to the other and inspected again. The next screen starts in that language.

import type { Browser, Page } from 'playwright-core';
import type { Keywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { selectVariants } from '../harness/tier.ts';
import { Findings } from '../pages/findings.ts';
import { MISREAD, SHIFTS, UNTRANSLATED } from '../pages/in-page.ts';
import { countRequests, inspect, shiftsOf, tooManyRequests, VARIANTS } from './inspection.ts';
import { enterConsole, type Operator } from './operator.ts';
import { Traffic } from './traffic.ts';
import type { ConsoleWorld } from './world.ts';

/** Looked at in parallel. */
const TABS = 2;
/** A width at which the language setting is visible. */
const DESK = { width: 1280, height: 800 };
/** Where a screen loads. */
const LOADED_AT = [
  [1440, 900],
  [1280, 800],
  [390, 844],
] as const;
const SCHEMES = ['light', 'dark'] as const;
type Locale = 'en' | 'ar';
const OTHER = { en: 'ar', ar: 'en' } as const;

interface Walked {
  readonly keywright: Keywright;
  readonly world: ConsoleWorld;
  /** The variants used to inspect the screen with this number. */
  readonly variantsOf: typeof selectVariants;
}

export async function walkScreens(
  browser: Browser,
  { keywright, world: { tenant, operator: person, screens }, variantsOf }: Walked,
): Promise<Findings> {
  const origin = keywright.nodes[0]?.baseUrl ?? '';
  const findings = new Findings();
  const all = Object.entries(screens).entries();
  await parallel(TABS, async () => {
    const operator = await enterConsole(browser, { tenant, person, origin });
    await operator.page.addInitScript(SHIFTS);
    const tab = new Tab(operator, findings, variantsOf);
    for (const [place, [name, path]] of all) {
      await tab.look(name, place, `${origin}/console/t/${tenant.id}${path}`);
    }
  });
  return findings;
}

class Tab {
  readonly #page: Page;
  readonly #complaints: Operator['complaints'];
  readonly #findings: Findings;
  readonly #traffic: Traffic;
  readonly #variantsOf: Walked['variantsOf'];
  readonly #requestCount: () => number;
  #locale: Locale = 'en';

  constructor(
    { page, complaints }: Operator,
    findings: Findings,
    variantsOf: Walked['variantsOf'],
  ) {
    this.#variantsOf = variantsOf;
    this.#page = page;
    this.#complaints = complaints;
    this.#findings = findings;
    this.#traffic = Traffic.of(page);
    this.#requestCount = countRequests(page);
  }

  async look(name: string, place: number, address: string): Promise<void> {
    await this.#load(name, place, address);
    await this.#inspect(name, place);
    await this.#speak(OTHER[this.#locale]);
    await this.#inspect(name, place);
  }

  /** Loads at one width or each, with alternating color schemes. Nothing is allowed to move. */
  async #load(name: string, place: number, address: string): Promise<void> {
    for (const [turn, [width, height]] of this.#variantsOf(LOADED_AT, place).entries()) {
      const colorScheme = SCHEMES[(place + turn) % SCHEMES.length] ?? 'light';
      await this.#page.setViewportSize({ width, height });
      await this.#page.emulateMedia({ colorScheme });
      this.#requestCount();
      await this.#traffic.load(address);
      await this.#traffic.settleWholly();
      const at = `${name}, ${this.#locale}, loaded at ${width} ${colorScheme}`;
      this.#findings.add(await shiftsOf(this.#page), at);
    }
  }

  /** Inspects in one width and scheme. Arabic uses the variant that shares neither with the English one. */
  async #inspect(name: string, place: number): Promise<void> {
    await this.#traffic.settleWholly();
    const [findings, locale] = [this.#findings, this.#locale];
    findings.add(tooManyRequests(name, this.#requestCount()), name);
    const language = await this.#page.evaluate<string>('document.documentElement.lang');
    if (language !== locale) findings.add([`in the language ${language}`], name);
    const variants = this.#variantsOf(locale === 'en' ? VARIANTS : VARIANTS.toReversed(), place);
    await inspect(this.#page, `${name}, ${locale}`, findings, variants);
    if (locale === 'ar') {
      findings.add(await this.#page.evaluate<string[]>(UNTRANSLATED), name);
      findings.add(await this.#page.evaluate<string[]>(MISREAD), name);
    }
    findings.add(this.#complaints(), `${name}, ${locale}`);
  }

  /** Switches the language in the account menu. The console uses it for the following screens. */
  async #speak(locale: Locale): Promise<void> {
    this.#requestCount();
    const page = this.#page;
    await page.setViewportSize(DESK);
    await page.locator('.rail .person').click();
    await page.locator('[role=menuitem][aria-haspopup=menu]').click();
    await page.locator(`[role=menuitemradio][lang=${locale}]`).click();
    await page.locator(`html[lang=${locale}]`).waitFor({ state: 'attached' });
    await page.getByRole('menu').waitFor({ state: 'detached' });
    this.#locale = locale;
  }
}
