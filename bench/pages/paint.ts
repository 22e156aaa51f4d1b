import type { Browser, BrowserContextOptions } from '@keywright/tests/conformance/browser';
import type { Bench } from '../measure/bench.ts';
import { figureOf } from '../report/figure.ts';
import type { Output } from '../report/output.ts';
import { conditionsOf } from '../report/record.ts';

const FEWEST_VISITS = 11;

/** Collects what a page paints and how it moves (Largest Contentful Paint; Layout Instability §2). */
const OBSERVE = `
  globalThis.painted = 0;
  globalThis.moved = 0;
  new PerformanceObserver((list) => { painted = list.getEntries().at(-1).startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) moved += value; })
    .observe({ type: 'layout-shift', buffered: true });
`;
/** Two frames after the page has loaded, when nothing more is painted. */
const OBSERVED = `new Promise((resolve) => {
  const wait = () => requestAnimationFrame(() => requestAnimationFrame(() => resolve([painted, moved])));
  if (document.readyState === 'complete') wait(); else addEventListener('load', wait);
})`;

export interface FirstView {
  /** As the published pages list it; that of visits with a filled cache ends with `-cached`. */
  readonly row: string;
  readonly address: string;
  /** The last element that a visit waits for. */
  readonly last: string;
  readonly atMostMs: number;
  /** Of a user who is logged in. */
  readonly session?: BrowserContextOptions['storageState'];
}

interface PageLoad {
  readonly paintedMs: number;
  /** Cumulative layout shift. */
  readonly moved: number;
}

/** Measures the time from the request for a page until it is painted, in browsers with an empty cache, then from it. */
export async function measureFirstView(
  bench: Bench,
  output: Output,
  browser: Browser,
  view: FirstView,
): Promise<void> {
  // The first visit warms up the service.
  await visit(browser, view);
  const visits: (readonly PageLoad[])[] = [];
  const count = Math.max(FEWEST_VISITS, bench.options.rounds);
  while (visits.length < count) visits.push(await visit(browser, view));
  for (const [place, suffix] of ['', '-cached'].entries()) {
    const loads = visits.flatMap((visited) => visited[place] ?? []);
    const values = loads.map(({ paintedMs }) => paintedMs);
    const row = `${view.row}${suffix}`;
    const found = { row, party: 'keywright', unit: 'ms', values, atMost: view.atMostMs } as const;
    const record = figureOf(conditionsOf(bench), found);
    output.record(record);
    const shift = Math.max(...loads.map(({ moved }) => moved));
    console.log(
      `\n${row}: ${record.value} ms (${values.map(Math.round).join(' ')}), layout shift ${shift}`,
    );
  }
}

/** Loads the page twice in a new browser context, so nothing is cached the first time. */
async function visit(
  browser: Browser,
  { address, last, session }: FirstView,
): Promise<readonly PageLoad[]> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    ...(session !== undefined && { storageState: session }),
  });
  try {
    const loads: PageLoad[] = [];
    while (loads.length < 2) {
      const page = await context.newPage();
      await page.addInitScript(OBSERVE);
      await page.goto(address);
      await page.locator(last).first().waitFor();
      const [paintedMs, moved] = await page.evaluate<[number, number]>(OBSERVED);
      loads.push({ paintedMs, moved });
      await page.close();
    }
    return loads;
  } finally {
    await context.close();
  }
}
