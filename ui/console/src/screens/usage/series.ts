import type { ActivitySpan } from '@keywright/sdk';

/** The time ranges that the screen can show, and their intervals. */
export const RANGES = {
  day: { interval: '5m', hours: 6 },
  '': { interval: 'hour', hours: 48 },
  quarter: { interval: 'day', hours: 90 * 24 },
} as const;
export type RangeName = keyof typeof RANGES;

const SECONDS = { '5m': 300, hour: 3600, day: 86_400 } as const;

export function rangeOf(name: string | undefined): RangeName {
  return name === 'day' || name === 'quarter' ? name : '';
}

/** Returns the start of a range that ends now. It is the same throughout a step, so that it is requested only once. */
export function startOf(range: RangeName, now: number): string {
  const { interval, hours } = RANGES[range];
  const length = SECONDS[interval] * 1000;
  return new Date(Math.floor(now / length) * length + length - hours * 3_600_000).toISOString();
}

/** What happened in one step, and when the step started and ended. */
export interface Step {
  readonly from: string;
  readonly to: string;
  /** Undefined: nothing did. */
  readonly span: ActivitySpan | undefined;
}

interface Answer {
  readonly interval: keyof typeof SECONDS;
  readonly from: string;
  readonly to: string;
  readonly spans: readonly ActivitySpan[];
}

/** Returns every step of the period. The response omits steps where nothing happened. */
export function stepsOf({ interval, from, to, spans }: Answer): Step[] {
  const length = SECONDS[interval] * 1000;
  const byTime = new Map(spans.map((span) => [Date.parse(span.began_at), span]));
  const steps: Step[] = [];
  for (let at = Date.parse(from); at < Date.parse(to); at += length) {
    const end = new Date(at + length).toISOString();
    steps.push({ from: new Date(at).toISOString(), to: end, span: byTime.get(at) });
  }
  return steps;
}

function sum(values: Readonly<Record<string, number>>): number {
  return Object.values(values).reduce((total, value) => total + value, 0);
}

/** A figure: its successes and failures. */
export interface Figure {
  readonly good: number;
  readonly bad: number;
}

const FIGURES = {
  logins: (span: ActivitySpan): Figure => ({
    good: sum(span.logins),
    bad: sum(span.logins_failed) + span.logins_throttled,
  }),
  requests: (span: ActivitySpan): Figure => {
    const bad = sum(span.requests_refused);
    return { good: Math.max(0, span.requests - bad), bad };
  },
  tokens: (span: ActivitySpan): Figure => ({ good: span.tokens_issued, bad: 0 }),
  sessions: (span: ActivitySpan): Figure => ({ good: span.sessions_begun, bad: 0 }),
  deliveries: ({ deliveries }: ActivitySpan): Figure => ({
    good: deliveries.delivered,
    bad: deliveries.failed,
  }),
} as const;
export type FigureName = keyof typeof FIGURES;
export const FIGURE_NAMES = Object.keys(FIGURES) as readonly FigureName[];

const NOTHING: Figure = { good: 0, bad: 0 };

export function figureOf(name: FigureName, { span }: Step): Figure {
  return span ? FIGURES[name](span) : NOTHING;
}

export function totalOf(name: FigureName, steps: readonly Step[]): Figure {
  return steps
    .map((step) => figureOf(name, step))
    .reduce((total, { good, bad }) => ({ good: total.good + good, bad: total.bad + bad }), NOTHING);
}

/** Splits two days of hourly steps into the last 24 hours and the 24 hours before. */
export function lastTwoDays(steps: readonly Step[]): readonly [last: Step[], before: Step[]] {
  return [steps.slice(-24), steps.slice(-48, -24)];
}

/** Returns the number of logins by method, most used first. */
export function methodsOf(steps: readonly Step[]): [method: string, logins: number][] {
  const totals = new Map<string, number>();
  for (const { span } of steps) {
    for (const [method, n] of Object.entries(span?.logins ?? {})) {
      totals.set(method, (totals.get(method) ?? 0) + n);
    }
  }
  return [...totals].filter(([, n]) => n > 0).toSorted((a, b) => b[1] - a[1]);
}
