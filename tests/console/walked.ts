// All screens of the console, one after the other, with long and hostile texts.

import type { Browser } from 'playwright-core';
import type { Keywright } from '../harness/keywright.ts';
import { Findings } from '../pages/findings.ts';
import { countRequests, inspect, tooManyRequests, TURNS } from './inspection.ts';
import { enterConsole } from './operator.ts';
import type { ConsoleWorld } from './world.ts';

interface Walked {
  readonly keywright: Keywright;
  readonly world: ConsoleWorld;
  /** Of the console. */
  readonly locale: 'en' | 'ar';
}

export async function walkScreens(
  browser: Browser,
  { keywright, world: { tenant, operator: person, screens }, locale }: Walked,
): Promise<Findings> {
  const origin = keywright.nodes[0]?.baseUrl ?? '';
  const operator = await enterConsole(browser, { tenant, person, origin });
  const { page } = operator;
  await page.evaluate(`localStorage.setItem('keywright-language', '${locale}')`);
  const variants = TURNS[locale === 'en' ? 0 : 1];
  const findings = new Findings();
  const asked = countRequests(page);
  for (const [name, path] of Object.entries(screens)) {
    asked();
    await operator.open(path);
    findings.add(tooManyRequests(name, asked()), name);
    const language = await page.evaluate<string>('document.documentElement.lang');
    if (language !== locale) findings.add([`in the language ${language}`], name);
    await inspect(page, name, findings, variants);
    findings.add(operator.complaints(), name);
  }
  return findings;
}
