import type { RowRecord } from './record.ts';
import { describeRatio, ratiosOf } from './verdict.ts';

const HEADINGS = [
  'row',
  'server µs',
  'database µs',
  'spread',
  'others',
  'floor',
  'to floor',
  'peer',
  'p50 ms',
  'p99 ms',
  'per s',
  'RSS MB',
];

/** The rows as a table, and notes below it. */
export function describe(records: readonly RowRecord[]): string {
  const notes = records.flatMap((record) =>
    Object.keys(record.probes_p99_ms).length === 0 ? [] : [noteOf(record)],
  );
  return [table([HEADINGS, ...records.map((record) => cells(record, records))]), ...notes].join(
    '\n\n',
  );
}

function cells(record: RowRecord, records: readonly RowRecord[]): string[] {
  const { floor } = record;
  const { toFloor, toPeer } = ratiosOf(record, records);
  return [
    nameOf(record),
    number(record.server_micros),
    record.database_micros === null ? 'in server' : number(record.database_micros),
    `${(record.spread * 100).toFixed(0)} %`,
    record.others_cores.toFixed(2),
    `${floor.name} ${number(floor.micros)} µs`,
    describeRatio(toFloor),
    record.party.startsWith('keywright') ? describeRatio(toPeer) : '',
    record.p50_ms.toFixed(2),
    record.p99_ms.toFixed(2),
    number(record.per_second),
    record.resident_mb.toFixed(0),
  ];
}

/** The row, and the party unless it is the service on PostgreSQL. */
function nameOf({ row, party }: Pick<RowRecord, 'row' | 'party'>): string {
  return party === 'keywright' ? row : `${row}, ${party}`;
}

function noteOf(record: RowRecord): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const probes = Object.entries(record.probes_p99_ms).map(([name, ms]) => `${name} ${ms} ms`);
  return [
    `${record.row}: ${percent(record.share)} of the ${record.floor.name} rate of the same minute`,
    `(${number(record.floor.per_second)}/s); by CPU time ${percent(record.share_by_cpu)}.`,
    `p99 of other routes during the row: ${probes.join(', ')};`,
    `of node:http alone next to the floor: ${record.floor_p99_ms} ms.`,
  ].join(' ');
}

function number(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1);
}

/** The first column is left-aligned, the others right-aligned. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}
