import { readLines } from './published.ts';
import type { RowRecord } from './record.ts';
import { nameOf, table } from './table.ts';

/** Results of before there were peers are the service's. */
function keyOf({ row, party = 'keywright' }: Partial<RowRecord>): string {
  return `${row} ${party}`;
}

/** The last record of each row in a result file. */
export function readRecords(file: string): Map<string, RowRecord> {
  const records = readLines(file).filter(
    (record): record is RowRecord => 'server_micros' in record,
  );
  return new Map(records.map((record) => [keyOf(record), record]));
}

/** How rows differ from those of an earlier run. */
export function describeDifference(
  earlier: ReadonlyMap<string, RowRecord>,
  now: readonly RowRecord[],
): string {
  const rows = now.flatMap((record) => {
    const before = earlier.get(keyOf(record));
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
    nameOf(now),
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
