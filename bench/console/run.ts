import { readFileSync } from 'node:fs';
import { type Browser, launchBrowser, type Page } from '@keywright/tests/conformance/browser';
import { fillInLogin } from '@keywright/tests/harness/login-pages';
import { emailOf } from '../target/users.ts';
import type { Bench } from '../measure/bench.ts';
import { figureOf } from '../report/figure.ts';
import type { Output } from '../report/output.ts';
import { conditionsOf } from '../report/record.ts';
import { API, bearerOf, logIn } from '../rows/row.ts';
import { freePort, type Service, startService } from '../target/service.ts';
import { type RequestKind, costsOf } from './detour.ts';
import { OBSERVE, SETTLED } from './in-page.ts';
import { loadScreens, type InteractionRound, measureInteractions } from './interactions.ts';
import { search } from './search.ts';

/** As `--row` names it. */
export const CONSOLE = 'console';

const SEARCHES = 25;
const BAR = { searchMs: 100, interactionMs: 100 };
const MANIFEST = new URL('../../ui/console/dist/manifest.json', import.meta.url);

/** Measures everything promised about the console in a browser, in a tenant with a million users. */
export async function runConsole(bench: Bench, output: Output): Promise<void> {
  output.say(CONSOLE);
  const browser = await launchBrowser();
  if (!browser) throw new Error('There is no Chromium here.');
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const service = await startService({ ...bench.env, KEYWRIGHT_BASE_URL: issuer }, port);
  try {
    await bench.database.settle();
    const page = await enter(bench, browser, issuer);
    await measureSearch(bench, page, output);
    await measureScreens(bench, page, output);
    await measureRequests(bench, service, page);
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function enter({ seed }: Bench, browser: Browser, issuer: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(OBSERVE);
  const address = `${issuer}/console/t/${seed.tenantId}/users`;
  await page.goto(address);
  const [operator] = seed.people;
  const identifier = operator?.identifier ?? '';
  await page.waitForSelector('#identifier');
  await fillInLogin(page, { identifier, password: seed.password });
  await page.waitForURL(`${address}**`);
  await page.evaluate(SETTLED);
  return page;
}

async function measureSearch(bench: Bench, page: Page, output: Output): Promise<void> {
  // The first search prepares statements and counts the users.
  await search(page, SEARCHES);
  const found = [];
  for (let turn = 0; turn < SEARCHES; turn += 1) found.push(await search(page, turn));
  const conditions = conditionsOf(bench);
  const report = (row: string, values: readonly number[], bar: { atMost?: number }) => {
    const record = figureOf(conditions, { row, party: 'keywright', unit: 'ms', values, ...bar });
    output.record(record);
    console.log(`\n${row}: ${record.value} ms (${values.map(Math.round).join(' ')})`);
  };
  const entered = found.map(({ enteredMs }) => enteredMs);
  report('console-search', entered, { atMost: BAR.searchMs });
  report(
    'console-search-typed',
    found.map(({ typedMs }) => typedMs),
    {},
  );
}

async function measureScreens(bench: Bench, page: Page, output: Output): Promise<void> {
  const rounds: InteractionRound[] = [];
  // The first visit loads the code of each screen.
  while (rounds.length < bench.options.rounds) rounds.push(await measureInteractions(page));
  const values = rounds.map(({ inpMs }) => inpMs);
  const found = { row: 'console-interaction', party: 'keywright', unit: 'ms', values } as const;
  const record = figureOf(conditionsOf(bench), { ...found, atMost: BAR.interactionMs });
  output.record(record);
  console.log(
    `\n${record.row}: ${record.value} ms (${values.join(' ')}), ${rounds[0]?.screens} screens`,
  );
  for (const { slowest } of rounds) console.log(`  slowest: ${slowest.join('; ')}`);
  const { screen, shifted } = await loadScreens(page);
  console.log(`\nconsole, layout shift: ${shifted.toFixed(4)} (${screen})`);
}

/** Measures the cost of a console file, and what routing through the console's address adds to an API request. */
async function measureRequests(bench: Bench, service: Service, page: Page): Promise<void> {
  const { tenantId } = bench.seed;
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const path = `/users?limit=20&email=${emailOf(0)}`;
  const compressed = { 'accept-encoding': 'br' };
  const kinds: readonly RequestKind[] = [
    { name: 'the shell', path: '/console/t/any', headers: {} },
    { name: 'a script, compressed', path: largestScript(), headers: compressed },
    {
      name: 'the API',
      path: `${API}${path}`,
      headers: bearerOf(tenantId, await logIn(bench.seed, service.url)),
    },
    {
      name: 'the API for the console',
      path: `/console/api/t/${tenantId}${path}`,
      headers: { cookie, 'x-keywright-console': '1' },
    },
  ];
  const costs = await costsOf(service, kinds, bench.options.rounds);
  console.log(
    `\nCPU time of the service for a request: ${[...costs].map(([name, micros]) => `${name} ${micros.toFixed(0)} µs`).join(', ')}`,
  );
}

function largestScript(): string {
  const { files } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { files: object };
  const largest = Object.keys(files).find((path) => /\/console-[^/]*\.js$/.test(path));
  if (!largest) throw new Error('The console has no main script.');
  return largest;
}
