import { readFileSync } from 'node:fs';
import { type Browser, launchBrowser, type Page } from '@keywright/tests/conformance/browser';
import { fillInLogin } from '@keywright/tests/harness/login-pages';
import { emailOf } from '../target/users.ts';
import { median } from '../measure/statistics.ts';
import { measureFirstView } from '../pages/paint.ts';
import type { Bench } from '../measure/bench.ts';
import { figureOf } from '../report/figure.ts';
import type { Output } from '../report/output.ts';
import { conditionsOf } from '../report/record.ts';
import { API, bearerOf, logIn } from '../rows/row.ts';
import { freePort, type Service, startService } from '../target/service.ts';
import { type RequestKind, costsOf } from './detour.ts';
import { OBSERVE, SETTLED } from './in-page.ts';
import {
  describeSlowest,
  inpOf,
  type KindRound,
  loadScreens,
  measureInteractions,
} from './interactions.ts';
import { search } from './search.ts';

/** As `--row` names it. */
export const CONSOLE = 'console';

const SEARCHES = 25;
const BAR = { searchMs: 100, interactionMs: 100, paintMs: 250 };
/** The browser at full speed, and slowed down like a weak computer. */
const SPEEDS = [
  { row: 'console-interaction', rate: 1 },
  { row: 'console-interaction-slow', rate: 4 },
];
/** The most that a page of the console shows. */
const AUDITED = 100;
const OVERVIEW_SHOWN = 'main:not(:has([aria-busy=true])) h1';
const USERS_SHOWN = 'main table[aria-busy=false] tbody tr';
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
    await fillAudit(bench, issuer);
    const page = await enter(bench, browser, issuer);
    await measureSearch(bench, page, output);
    await measurePaints(bench, page, output);
    await measureScreens(bench, page, output);
    await measureRequests(bench, service, page);
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** Changes as many users as a page of the audit log shows entries. */
async function fillAudit({ seed }: Bench, url: string): Promise<void> {
  const headers = {
    ...bearerOf(seed.tenantId, await logIn(seed, url)),
    'content-type': 'application/json',
  };
  for (const { userId } of seed.people.slice(0, AUDITED)) {
    const body = JSON.stringify({ metadata: { plan: 'team' } });
    const answer = await fetch(`${url}${API}/users/${userId}`, { method: 'PATCH', headers, body });
    if (answer.status !== 200) throw new Error(`A user was not changed: ${answer.status}`);
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
  const base = consoleOf(bench, page);
  const conditions = conditionsOf(bench);
  const cpu = await page.context().newCDPSession(page);
  for (const { row, rate } of SPEEDS) {
    await cpu.send('Emulation.setCPUThrottlingRate', { rate });
    const rounds: KindRound[][] = [];
    // The first visit loads the code of each screen.
    while (rounds.length < bench.options.rounds) rounds.push(await measureInteractions(page, base));
    const report = (name: string, parts: readonly KindRound[][], value: number) => {
      const values = parts.map(inpOf);
      const found = { row: name, party: 'keywright', unit: 'ms', values, value } as const;
      const bar = rate === 1 ? { atMost: BAR.interactionMs } : {};
      output.record(figureOf(conditions, { ...found, ...bar }));
      console.log(`\n${name}: ${value} ms (${values.join(' ')})`);
      console.log(`  slowest: ${describeSlowest(parts.flat())}`);
    };
    report(row, rounds, median(rounds.map(inpOf)));
    for (const { kind } of rounds[0] ?? []) {
      const parts = rounds.map((round) => round.filter((part) => part.kind === kind));
      report(`${row}-${kind}`, parts, inpOf(parts.flat()));
    }
  }
  await cpu.detach();
  const { screen, shifted } = await loadScreens(page);
  console.log(`\nconsole, layout shift: ${shifted.toFixed(4)} (${screen})`);
}

/** Measures the first views of an operator who is logged in. */
async function measurePaints(bench: Bench, page: Page, output: Output): Promise<void> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The browser is closed.');
  const address = consoleOf(bench, page);
  const session = await page.context().storageState();
  const atMostMs = BAR.paintMs;
  for (const view of [
    { row: 'console-paint-overview', address, last: OVERVIEW_SHOWN },
    { row: 'console-paint-users', address: `${address}/users`, last: USERS_SHOWN },
  ])
    await measureFirstView(bench, output, browser, { ...view, atMostMs, session });
}

/** The address of the tenant's console. */
function consoleOf({ seed }: Bench, page: Page): string {
  return `${new URL(page.url()).origin}/console/t/${seed.tenantId}`;
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
