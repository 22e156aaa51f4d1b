import { type Browser, launchBrowser } from '@keywright/tests/conformance/browser';
import type { Bench } from '../measure/bench.ts';
import { figureOf } from '../report/figure.ts';
import type { Output } from '../report/output.ts';
import { conditionsOf } from '../report/record.ts';
import { authorizationOf, insertClients, OPEN_ID } from '../target/applications.ts';
import { freePort, startService } from '../target/service.ts';

/** As `--row` names it. */
export const PAINT = 'page-paint';

const FEWEST_LOADS = 11;
const MOST_MS = 200;

/** Collects what a page paints and how it moves (Largest Contentful Paint; Layout Instability §2). */
const OBSERVE = `
  globalThis.painted = 0;
  globalThis.shifted = 0;
  new PerformanceObserver((list) => { painted = list.getEntries().at(-1).startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shifted += value; })
    .observe({ type: 'layout-shift', buffered: true });
`;
/** Two frames after the page has loaded, when nothing more is painted. */
const OBSERVED = `new Promise((resolve) => {
  const wait = () => requestAnimationFrame(() => requestAnimationFrame(() => resolve([painted, shifted])));
  if (document.readyState === 'complete') wait(); else addEventListener('load', wait);
})`;

/** Measures the time from a click on "log in" until the login page is painted, in browsers with an empty cache. */
export async function runPaint(bench: Bench, output: Output): Promise<void> {
  output.say(PAINT);
  const browser = await launchBrowser();
  if (!browser) throw new Error('There is no Chromium here.');
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const service = await startService({ ...bench.env, KEYWRIGHT_BASE_URL: issuer }, port);
  try {
    const address = await addressOf(bench, issuer);
    await loadPage(browser, address);
    const loads: PageLoad[] = [];
    const count = Math.max(FEWEST_LOADS, bench.options.rounds);
    for (let done = 0; done < count; done += 1) loads.push(await loadPage(browser, address));
    const values = loads.map(({ paintedMs }) => paintedMs);
    const conditions = conditionsOf(bench);
    const found = { row: PAINT, party: 'keywright', unit: 'ms', values, atMost: MOST_MS } as const;
    const record = figureOf(conditions, found);
    output.record(record);
    const shift = Math.max(...loads.map(({ shifted }) => shifted));
    console.log(
      `\n${PAINT}: ${record.value} ms (${values.map(Math.round).join(' ')}), layout shift ${shift}`,
    );
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** Returns the address that an application redirects users to for login. */
async function addressOf({ seed: { tenantId }, database }: Bench, issuer: string): Promise<string> {
  const query = database.query.bind(database);
  const [client] = await insertClients(query, [tenantId], 'EdDSA');
  const parameters = new URLSearchParams(authorizationOf(client?.id ?? '', OPEN_ID)).toString();
  return `${issuer}/t/${tenantId}/oauth/authorize?${parameters}`;
}

interface PageLoad {
  readonly paintedMs: number;
  /** Cumulative layout shift. */
  readonly shifted: number;
}

/** Visits the page in a new browser context, so nothing is cached. */
async function loadPage(browser: Browser, address: string): Promise<PageLoad> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(OBSERVE);
    await page.goto(address);
    await page.getByRole('textbox').first().waitFor();
    const [paintedMs, shifted] = await page.evaluate<[number, number]>(OBSERVED);
    return { paintedMs, shifted };
  } finally {
    await context.close();
  }
}
