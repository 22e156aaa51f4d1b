import type { Options } from '../options.ts';
import { profileRow } from '../profile/run.ts';
import type { Output } from '../report/output.ts';
import { conditionsOf, titleOf } from '../report/record.ts';
import { table } from '../report/table.ts';
import { openBenchServer } from '../target/database.ts';
import { startUpstream } from '../target/upstream.ts';
import { type Installation, openInstallation } from './installation.ts';
import { measureList } from './list.ts';
import { loadEveryTenant, MEMORY_ROWS, measureMemory } from './memory.ts';
import { sendersOf, OPERATIONS, REACHES } from './operations.ts';
import { describeOperation } from './report.ts';
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
  'tenants-rss-look-ups',
  'tenants-rss',
  'tenants-list',
  'tenants-first-request',
  'tenants-change',
  'tenants-create',
] as const;

/** Measures the same service with few and with many tenants. @param parts of TENANT_PARTS */
export async function runTenants(
  options: Options,
  parts: readonly string[],
  output: Output,
): Promise<void> {
  const server = await openBenchServer();
  const upstream = await startUpstream();
  const hasKeys = parts.some((part) => part === 'tenants-api-key' || part in MEMORY_ROWS);
  const installations: Installation[] = [];
  try {
    for (const tenants of options.tenants) {
      output.say(`setting up ${tenants} tenants`);
      installations.push(await openInstallation(server, options, tenants, { hasKeys, upstream }));
    }
    if (options.profile) await profileLargest(installations, parts);
    else await measure(installations, parts, output);
  } finally {
    for (const installation of installations) await installation.close();
    await server.close();
    upstream.close();
  }
}

async function measure(
  installations: readonly Installation[],
  parts: readonly string[],
  output: Output,
): Promise<void> {
  const largest = installations.at(-1) as Installation;
  const { tenants } = largest;
  const conditions = conditionsOf(largest.bench);
  const record = (found: object) => output.record({ ...conditions, ...found });
  const has = (part: string) => parts.includes(`tenants-${part}`);
  console.log(`\n${titleOf(conditions)}\n`);
  if (has('start')) {
    output.say('start');
    const starts = await measureStarts(installations);
    for (const start of starts) record({ row: 'tenants-start', ...start });
    printTable(['tenants', 'listening after ms', 'idle MB'], starts, 0);
  }
  for (const [row, sendRequests] of Object.entries(MEMORY_ROWS)) {
    if (!parts.includes(row)) continue;
    output.say(row);
    const memory = await measureMemory(installations, sendRequests);
    for (const figures of memory) record({ row, ...figures });
    printTable(['tenants', `RSS MB of ${row}`, 'rounds'], memory, 0);
  }
  if (has('list')) {
    output.say('list');
    const pages = await measureList(largest);
    record({ row: 'tenants-list', tenants, pages });
    printTable([`page of the list of ${tenants} tenants`, 'p50 ms', 'p99 ms'], pages, 2);
  }
  const times: Times[] = [];
  if (has('first-request')) times.push(...(await measureFirstRequests(largest)));
  if (has('change')) times.push(await measureAnnouncement(largest));
  if (has('create')) times.push(await measureCreation(largest));
  for (const time of times) record({ row: 'tenants-times', tenants, ...time });
  if (times.length > 0)
    printTable([`with ${tenants} tenants`, 'p50 ms', 'p99 ms', 'worst ms'], times, 2);
  await measureTraffic(installations, parts, output.say, record);
}

/** A line for each item, with its fields in their order. */
function printTable(headings: readonly string[], items: readonly object[], digits: number): void {
  const cell = (value: unknown): string => {
    if (Array.isArray(value)) return value.map(cell).join(' ');
    return typeof value === 'number' ? value.toFixed(digits) : String(value);
  };
  console.log(`${table([headings, ...items.map((item) => Object.values(item).map(cell))])}\n`);
}

async function measureTraffic(
  installations: readonly Installation[],
  parts: readonly string[],
  say: (what: string) => void,
  record: (found: object) => void,
): Promise<void> {
  const operations = OPERATIONS.filter(({ name }) => parts.includes(`tenants-${name}`));
  if (operations.length === 0) return;
  for (const installation of installations)
    await loadEveryTenant(installation, installation.service);
  for (const reach of REACHES) {
    for (const operation of operations) {
      say(`${operation.name}, ${reach} tenants`);
      const figures = await measureOperation(installations, operation, reach);
      for (const figure of figures) record({ row: `tenants-${operation.name}`, ...figure });
      console.log(`${describeOperation(figures)}\n`);
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
      floor: 'verify',
      traffic: () => traffic(sendersOf(largest)),
    } as const;
    console.log(`\n${await profileRow(largest.bench, row)}\n`);
  }
}
