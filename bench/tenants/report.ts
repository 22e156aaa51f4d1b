import { table } from '../report/table.ts';
import type { PageTimes } from './list.ts';
import type { MemoryFigures } from './memory.ts';
import type { Figures } from './rounds.ts';
import type { Times } from './single-requests.ts';
import type { StartFigures } from './start.ts';

export function describeFigures(figures: readonly Figures[]): string {
  const headings = [
    'operation',
    'tenants asked',
    'of',
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

export function describeStarts(starts: readonly StartFigures[]): string {
  return table([
    ['tenants', 'listening after ms', 'idle MB'],
    ...starts.map((one) => [
      String(one.tenants),
      one.listening_ms.toFixed(0),
      one.idle_mb.toFixed(0),
    ]),
  ]);
}

export function describeMemory(figures: readonly MemoryFigures[]): string {
  return table([
    ['tenants', 'RSS MB once all were met', 'rounds'],
    ...figures.map((one) => [
      String(one.tenants),
      one.resident_mb.toFixed(0),
      one.rounds_mb.map((mb) => mb.toFixed(0)).join(' '),
    ]),
  ]);
}

export function describePages(tenants: number, pages: readonly PageTimes[]): string {
  return table([
    [`page of the list of ${tenants} tenants`, 'p50 ms', 'p99 ms'],
    ...pages.map((one) => [one.page, one.p50_ms.toFixed(2), one.p99_ms.toFixed(2)]),
  ]);
}

export function describeTimes(tenants: number, times: readonly Times[]): string {
  return table([
    [`with ${tenants} tenants`, 'p50 ms', 'p99 ms', 'worst ms'],
    ...times.map((one) => [
      one.what,
      one.p50_ms.toFixed(2),
      one.p99_ms.toFixed(2),
      one.worst_ms.toFixed(2),
    ]),
  ]);
}

function percent(ratio: number): string {
  const change = (ratio - 1) * 100;
  return `${change > 0 ? '+' : ''}${change.toFixed(1)} %`;
}
