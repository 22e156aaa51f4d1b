import { readFileSync } from 'node:fs';
import type { RowRecord } from './record.ts';
import { table } from './table.ts';

/** The last record of each row in a result file. */
export function readRecords(file: string): Map<string, RowRecord> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const records = lines.map((line) => JSON.parse(line) as RowRecord);
  return new Map(records.map((record) => [record.row, record]));
}

/** How rows differ from those of an earlier run. */
export function describeDifference(
  earlier: ReadonlyMap<string, RowRecord>,
  now: readonly RowRecord[],
): string {
  const rows = now.flatMap((record) => {
    const before = earlier.get(record.row);
    return before ? [cells(before, record)] : [];
  });
  if (rows.length === 0) return 'The earlier run has none of these rows.';
  const headings = ['row', 'then', 'server µs', 'database µs', 'machine', 'change', 'less machine'];
  return table([headings, ...rows]);
}

function cells(before: RowRecord, now: RowRecord): string[] {
  const machine = now.calibration.micros / before.calibration.micros;
  const change = together(now) / together(before);
  return [
    now.row,
    before.commit,
    `${before.server_micros} → ${now.server_micros}`,
    `${before.database_micros ?? '–'} → ${now.database_micros ?? '–'}`,
    signed(machine),
    signed(change),
    signed(change / machine),
  ];
}

function together(record: RowRecord): number {
  return record.server_micros + (record.database_micros ?? 0);
}

function signed(factor: number): string {
  const percent = (factor - 1) * 100;
  return `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`;
}
