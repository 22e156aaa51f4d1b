import type { Bar } from '../rows/row.ts';

/** The figures that bars refer to. */
export interface Figures {
  readonly serverMicros: number;
  /** Undefined if it was not measured separately. */
  readonly databaseMicros: number | undefined;
  /** Requests per operation of the calibration, in the same time. */
  readonly share: number;
  readonly p99Ms: number;
  /** The p99 of the slowest other route. */
  readonly probesP99Ms: number;
}

export interface Verdict {
  /** The cost divided by the bar, for the part furthest from it: 1 or less meets it. */
  readonly ratio: number;
  readonly isMet: boolean;
}

/** Undefined without a bar, or without a figure for it. */
export function judge(bar: Bar | undefined, figures: Figures): Verdict | undefined {
  const ratios =
    bar && figures.databaseMicros !== undefined
      ? ratiosOf(bar, figures, figures.databaseMicros)
      : [];
  if (ratios.length === 0) return undefined;
  const ratio = Math.max(...ratios);
  return { ratio, isMet: ratio <= 1 };
}

function ratiosOf(bar: Bar, figures: Figures, databaseMicros: number): number[] {
  switch (bar.kind) {
    case 'split':
      return [figures.serverMicros / bar.serverMicros, databaseMicros / bar.databaseMicros];
    case 'total':
      return [(figures.serverMicros + databaseMicros) / bar.micros];
    case 'share':
      return [bar.atLeast / figures.share, figures.probesP99Ms / bar.probesP99Ms];
    case 'latency':
      return [figures.p99Ms / bar.p99Ms];
  }
}

export function describeBar(bar: Bar | undefined): string {
  switch (bar?.kind) {
    case 'split':
      return `${bar.serverMicros} + ${bar.databaseMicros} µs`;
    case 'total':
      return `${bar.micros} µs`;
    case 'share':
      return `${bar.atLeast * 100} %, ${bar.probesP99Ms} ms`;
    case 'latency':
      return `p99 ${bar.p99Ms} ms`;
    case undefined:
      return '';
  }
}
