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
    ...figures.map((figure) => [
      figure.operation,
      figure.reach,
      String(figure.tenants),
      figure.server_micros.toFixed(1),
      figure.database_micros.toFixed(1),
      figure.p50_ms.toFixed(2),
      figure.p99_ms.toFixed(2),
      figure.per_second.toFixed(0),
      percent(figure.to_first.cpu),
      percent(figure.to_first.p50),
      percent(figure.to_first.p99),
      percent(figure.to_first.per_second),
    ]),
  ]);
}

function percent(ratio: number): string {
  const change = (ratio - 1) * 100;
  return `${change > 0 ? '+' : ''}${change.toFixed(1)} %`;
}
