import { table } from '../report/table.ts';
import type { Figures } from './rounds.ts';

export function describeOperation(figures: readonly Figures[]): string {
  const headings = [
    'operation',
    'tenants',
    'installed',
    'server µs',
    'database µs',
    'p50 ms',
    'p99 ms',
    'per s',
    'CPU',
    'p50',
    'p99',
    'per s',
  ];
  return table([
    headings,
    ...figures.map((one) => [
      one.operation,
      one.reach,
      String(one.tenants),
      one.server_micros.toFixed(1),
      one.database_micros.toFixed(1),
      one.p50_ms.toFixed(2),
      one.p99_ms.toFixed(2),
      one.per_second.toFixed(0),
      percent(one.to_first.cpu),
      percent(one.to_first.p50),
      percent(one.to_first.p99),
      percent(one.to_first.per_second),
    ]),
  ]);
}

function percent(ratio: number): string {
  const change = (ratio - 1) * 100;
  return `${change > 0 ? '+' : ''}${change.toFixed(1)} %`;
}
