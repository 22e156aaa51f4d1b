// All screens of the console, with long and hostile texts. Each is loaded once, in one language, and looked at; then in the
// other one, which its reader chooses; the next screen begins with that.

import type { Browser, Page } from 'playwright-core';
import type { Keywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import { Findings } from '../pages/findings.ts';
import { countRequests, inspect, tooManyRequests, TURNS } from './inspection.ts';
import { enterConsole, type Operator } from './operator.ts';
import { Traffic } from './traffic.ts';
import type { ConsoleWorld } from './world.ts';

/** Looked at in parallel. */
const TABS = 2;
/** What is seen in each language: all variants of a screen, together. */
const VARIANTS = { en: TURNS[0], ar: TURNS[1] };
/** Where the choice of the language is in sight. */
const DESK = { width: 1280, height: 800 };
type Locale = keyof typeof VARIANTS;
const OTHER = { en: 'ar', ar: 'en' } as const;

interface Walked {
  readonly keywright: Keywright;
  readonly world: ConsoleWorld;
}

export async function walkScreens(
  browser: Browser,
  { keywright, world: { tenant, operator: person, screens } }: Walked,
): Promise<Findings> {
  const origin = keywright.nodes[0]?.baseUrl ?? '';
  const findings = new Findings();
  const all = Object.entries(screens).values();
  await parallel(TABS, async () => {
    const operator = await enterConsole(browser, { tenant, person, origin });
    const tab = new Tab(operator, findings);
    for (const [name, path] of all) await tab.look(name, `${origin}/console/t/${tenant.id}${path}`);
  });
  return findings;
}

class Tab {
  readonly #page: Page;
  readonly #complaints: Operator['complaints'];
  readonly #findings: Findings;
  readonly #traffic: Traffic;
  readonly #asked: () => number;
  #locale: Locale = 'en';

  constructor({ page, complaints }: Operator, findings: Findings) {
    this.#page = page;
    this.#complaints = complaints;
    this.#findings = findings;
    this.#traffic = new Traffic(page);
    this.#asked = countRequests(page);
  }

  async look(name: string, address: string): Promise<void> {
    this.#asked();
    await this.#traffic.load(address);
    await this.#inspect(name);
    await this.#speak(OTHER[this.#locale]);
    await this.#inspect(name);
  }

  async #inspect(name: string): Promise<void> {
    await this.#traffic.settleWholly();
    const [findings, locale] = [this.#findings, this.#locale];
    findings.add(tooManyRequests(name, this.#asked()), name);
    const language = await this.#page.evaluate<string>('document.documentElement.lang');
    if (language !== locale) findings.add([`in the language ${language}`], name);
    await inspect(this.#page, `${name}, ${locale}`, findings, VARIANTS[locale]);
    findings.add(this.#complaints(), `${name}, ${locale}`);
  }

  /** As people choose it: the console keeps it for the screens to come. */
  async #speak(locale: Locale): Promise<void> {
    this.#asked();
    const page = this.#page;
    await page.setViewportSize(DESK);
    await page.locator('.account > button').click();
    await page.locator(`.account select:has(option[value=${locale}])`).selectOption(locale);
    await page.locator(`html[lang=${locale}]`).waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    this.#locale = locale;
  }
}
