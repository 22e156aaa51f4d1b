import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import type { Bench } from '../measure/bench.ts';
import { openService } from '../measure/contender.ts';
import { table } from '../report/table.ts';
import type { Row } from '../rows/row.ts';
import { SOURCES } from '../target/service.ts';
import {
  type CpuProfile,
  type FunctionTime,
  functionTimes,
  ownerOf,
  type Span,
} from './samples.ts';

const WARM_UP_SECONDS = 3;
const INTERVAL_MICROS = 250;
const SHOWN = 30;
const SHOWN_IN_SERVICE = 25;

/** Profiles the service under the load of a row. */
export async function profileRow(bench: Bench, row: Row): Promise<string> {
  await bench.database.settle();
  const folder = await temporaryDirectory('profile');
  const flags = [
    `--cpu-prof`,
    `--cpu-prof-dir=${folder}`,
    `--cpu-prof-interval=${INTERVAL_MICROS}`,
  ];
  const service = await openService(bench, row, { NODE_OPTIONS: flags.join(' ') }, SOURCES);
  const { stage } = service;
  let requests: number;
  let span: Span;
  try {
    await stage.run(row.warmUpSeconds ?? WARM_UP_SECONDS);
    await stage.refill(bench.options.seconds);
    const fromMicros = monotonicMicros();
    ({ requests } = await stage.run(bench.options.seconds));
    span = { fromMicros, toMicros: monotonicMicros() };
  } finally {
    await service.close();
  }
  return describe(row, functionTimes(readProfile(folder), span), requests);
}

/** The clock of V8's samples. */
function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

function readProfile(folder: string): CpuProfile {
  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'));
  if (file === undefined) throw new Error('The service wrote no profile.');
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
}

function describe(row: Row, times: readonly FunctionTime[], requests: number): string {
  const self = times.reduce((sum, time) => sum + time.selfMicros, 0);
  const per = (micros: number) => (micros / requests).toFixed(2);
  const percent = (micros: number) => `${((micros / self) * 100).toFixed(1)} %`;
  const line = (what: string, micros: number) => [what, per(micros), percent(micros)];
  const byTotal = times
    .filter((time) => time.place.startsWith('server/'))
    .toSorted((time, other) => other.totalMicros - time.totalMicros);
  const bySelf = times.toSorted((time, other) => other.selfMicros - time.selfMicros);
  const headings = ['', 'µs per request', 'share'];
  return [
    `${row.name}: ${requests} requests, ${per(self)} µs of the main thread for each (sampling included)`,
    'By package, self time:',
    table([headings, ...byOwner(times).map(([owner, micros]) => line(owner, micros))]),
    'By function, self time:',
    table([headings, ...bySelf.slice(0, SHOWN).map((time) => line(label(time), time.selfMicros))]),
    "The service's own functions, total time:",
    table([
      headings,
      ...byTotal.slice(0, SHOWN_IN_SERVICE).map((time) => line(label(time), time.totalMicros)),
    ]),
  ].join('\n\n');
}

function label({ name, place }: FunctionTime): string {
  return place === '' ? name : `${name}  ${place}`;
}

function byOwner(times: readonly FunctionTime[]): [string, number][] {
  const owners = new Map<string, number>();
  for (const time of times) {
    const owner = ownerOf(time);
    owners.set(owner, (owners.get(owner) ?? 0) + time.selfMicros);
  }
  return [...owners].toSorted(([, micros], [, other]) => other - micros).slice(0, SHOWN);
}
