import { appendFileSync } from 'node:fs';
import type { Options } from '../options.ts';
import { profileRow } from '../profile/run.ts';
import { circumstances } from '../report/record.ts';
import { openBenchServer } from '../target/database.ts';
import { type Installation, openInstallation } from './installation.ts';
import { measureList } from './list.ts';
import { measureMemory, loadEveryTenant } from './memory.ts';
import { askersOf, OPERATIONS, REACHES } from './operations.ts';
import {
  describeFigures,
  describeMemory,
  describePages,
  describeStarts,
  describeTimes,
} from './report.ts';
import { measureOperation } from './rounds.ts';
import {
  measureAnnouncement,
  measureCreation,
  measureFirstRequests,
  type Times,
} from './single-requests.ts';
import { measureStarts } from './start.ts';

/** The parts of the row about many tenants, as `--row` names them. */
export const TENANT_PARTS = [
  ...OPERATIONS.map(({ name }) => `tenants-${name}`),
  'tenants-start',
  'tenants-rss',
  'tenants-list',
  'tenants-first-request',
  'tenants-change',
  'tenants-create',
] as const;

/** What is told of the work while it goes on, and where records go. */
interface Output {
  readonly say: (what: string) => void;
  readonly file: string;
}

/** The same service with few and with many tenants. @param parts of TENANT_PARTS */
export async function runTenants(
  options: Options,
  parts: readonly string[],
  output: Output,
): Promise<void> {
  const server = await openBenchServer();
  const hasKeys = parts.includes('tenants-api-key');
  const installations: Installation[] = [];
  try {
    for (const tenants of options.tenants) {
      output.say(`setting up ${tenants} tenants`);
      installations.push(await openInstallation(server, options, tenants, hasKeys));
    }
    if (options.profile) await profileLargest(installations, parts);
    else await measure(installations, parts, output);
  } finally {
    for (const installation of installations) await installation.close();
    await server.close();
  }
}

async function measure(
  installations: readonly Installation[],
  parts: readonly string[],
  { say, file }: Output,
): Promise<void> {
  const largest = installations.at(-1) as Installation;
  const around = circumstances(largest.bench);
  const record = (found: object) =>
    appendFileSync(file, `${JSON.stringify({ ...around, ...found })}\n`);
  const has = (part: string) => parts.includes(`tenants-${part}`);
  const { database, cores, connections, seconds, rounds } = around;
  console.log(
    `\nCommit ${around.commit}, Node.js ${around.node}, ${database}, ${cores} cores, ` +
      `${connections} connections, medians of ${rounds} rounds of ${seconds} s\n`,
  );
  if (has('start')) {
    say('start');
    const starts = await measureStarts(installations);
    for (const one of starts) record({ row: 'tenants-start', ...one });
    console.log(`${describeStarts(starts)}\n`);
  }
  if (has('rss')) {
    say('rss');
    const found = await measureMemory(installations);
    for (const one of found) record({ row: 'tenants-rss', ...one });
    console.log(`${describeMemory(found)}\n`);
  }
  if (has('list')) {
    say('list');
    const pages = await measureList(largest);
    record({ row: 'tenants-list', tenants: largest.tenants, pages });
    console.log(`${describePages(largest.tenants, pages)}\n`);
  }
  const times: Times[] = [];
  if (has('first-request')) times.push(...(await measureFirstRequests(largest)));
  if (has('change')) times.push(await measureAnnouncement(largest));
  if (has('create')) times.push(await measureCreation(largest));
  for (const one of times) record({ row: 'tenants-times', tenants: largest.tenants, ...one });
  if (times.length > 0) console.log(`${describeTimes(largest.tenants, times)}\n`);
  await measureTraffic(installations, parts, say, record);
  console.log(file);
}

async function measureTraffic(
  installations: readonly Installation[],
  parts: readonly string[],
  say: (what: string) => void,
  record: (found: object) => void,
): Promise<void> {
  const operations = OPERATIONS.filter(({ name }) => parts.includes(`tenants-${name}`));
  if (operations.length === 0) return;
  for (const one of installations) await loadEveryTenant(one, one.service);
  for (const reach of REACHES) {
    for (const operation of operations) {
      say(`${operation.name}, ${reach.name} tenants`);
      const figures = await measureOperation(installations, operation, reach);
      for (const one of figures) record({ row: `tenants-${operation.name}`, ...one });
      console.log(`${describeFigures(figures)}\n`);
    }
  }
}

async function profileLargest(
  installations: readonly Installation[],
  parts: readonly string[],
): Promise<void> {
  const largest = installations.at(-1) as Installation;
  for (const { name, traffic } of OPERATIONS) {
    if (!parts.includes(`tenants-${name}`)) continue;
    const row = {
      name: `tenants-${name}`,
      calibration: 'verify',
      traffic: () => traffic(askersOf(largest)),
    } as const;
    console.log(`\n${await profileRow(largest.bench, row)}\n`);
  }
}
