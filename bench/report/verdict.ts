import type { Bar } from '../rows/row.ts';

/** What a row came to, as far as a bar asks. */
export interface Figures {
  readonly serverMicros: number;
  /** Nothing where it could not be told from the service, or not be measured. */
  readonly databaseMicros: number | undefined;
  /** Requests for each operation of the calibration in the same time. */
  readonly share: number;
  readonly p99Ms: number;
  /** Of the other routes, the slowest. */
  readonly probesP99Ms: number;
}

export interface Verdict {
  /** Cost in proportion to the bar, of the part that is furthest from it: 1 or less meets it. */
  readonly ratio: number;
  readonly isMet: boolean;
}

/** Nothing where there is no bar, or no figure to hold against it. */
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
