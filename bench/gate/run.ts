// `npm run bench -- --gate`: whether the main rows became dearer since they were published.

import type { Bench } from '../measure/bench.ts';
import { measureRow } from '../measure/rounds.ts';
import { Published } from '../report/published.ts';
import { conditionsOf, recordOf } from '../report/record.ts';
import { table } from '../report/table.ts';
import { describeRatio, type Ratios, ratiosOf } from '../report/verdict.ts';
import { ROWS } from '../rows/all.ts';
import type { Row } from '../rows/row.ts';
import { ATTEMPTS, compare } from './attempts.ts';
import { GATE_ROWS } from './rows.ts';

const HEADINGS = ['row', 'to floor', 'published', 'peer', 'published', 'verdict'];

/** Opens a bench with a database of its own, and closes it after the work. */
type InNewBench = <Result>(work: (bench: Bench) => Promise<Result>) => Promise<Result>;

/** Prints the ratios of each row. @returns whether none became dearer */
export async function runGate(
  bench: Bench,
  inNewBench: InNewBench,
  say: (what: string) => void,
): Promise<boolean> {
  const published = Published.read();
  const lines: string[][] = [];
  let hasPassed = true;
  for (const row of ROWS.filter(({ name }) => GATE_ROWS.some((gated) => gated === name))) {
    const last = published.cost(row.name);
    const before = last && ratiosOf(last, published.costs());
    const verdict = await compare((rounds) => {
      say(`${row.name}, ${rounds} rounds`);
      if (rounds === ATTEMPTS[0]) return measureOnce(bench, row, rounds);
      // Refresh tokens, of the service and of peers, are accepted once: the first measurement used those of this bench.
      return inNewBench((another) => measureOnce(another, row, rounds));
    }, before);
    const now = 'now' in verdict ? verdict.now : undefined;
    lines.push([
      row.name,
      ...cells(now, before, 'toFloor'),
      ...cells(now, before, 'toPeer'),
      verdict.kind,
    ]);
    hasPassed &&= verdict.kind !== 'dearer';
  }
  console.log(`\n${table([HEADINGS, ...lines])}`);
  return hasPassed;
}

function cells(now: Ratios | undefined, before: Ratios | undefined, name: keyof Ratios): string[] {
  return [describeRatio(now?.[name]), describeRatio(before?.[name])];
}

async function measureOnce(bench: Bench, row: Row, rounds: number) {
  const conditions = conditionsOf(bench);
  const options = { ...bench.options, rounds };
  const measured = await measureRow({ ...bench, options }, row);
  const records = measured.map((measurement) => recordOf(conditions, measurement));
  const [ours] = records;
  if (!ours) throw new Error(`${row.name} has no figures.`);
  return { ratios: ratiosOf(ours, records), othersCores: ours.others_cores };
}
