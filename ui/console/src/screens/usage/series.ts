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
  return startOfHours(SECONDS[interval], hours, now);
}

function startOfHours(seconds: number, hours: number, now: number): string {
  const length = seconds * 1000;
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

/** The methods of logins, from the bottom of a bar up. */
export const METHODS = ['password', 'passkey', 'provider', 'message'] as const;

/** Returns the logins of each step by one method. */
export function loginsBy(method: (typeof METHODS)[number], steps: readonly Step[]): number[] {
  return steps.map(({ span }) => span?.logins[method] ?? 0);
}

/** The periods that the overview compares with the previous period, and their intervals. */
export const COMPARED = {
  '': { interval: 'hour', hours: 24, title: 'range.last24', versus: 'versus.day' },
  week: { interval: 'day', hours: 7 * 24, title: 'range.week', versus: 'versus.week' },
  month: { interval: 'day', hours: 30 * 24, title: 'range.month', versus: 'versus.month' },
} as const;
export type ComparedName = keyof typeof COMPARED;

export function comparedOf(name: string | undefined): ComparedName {
  return name === 'week' || name === 'month' ? name : '';
}

/** Returns the start of the previous period. It is the same throughout a step. */
export function startOfCompared(period: ComparedName, now: number): string {
  const { interval, hours } = COMPARED[period];
  return startOfHours(SECONDS[interval], 2 * hours, now);
}

/** Splits steps into two periods of the same length. */
export function halves(steps: readonly Step[]): readonly [last: Step[], before: Step[]] {
  const middle = Math.ceil(steps.length / 2);
  return [steps.slice(middle), steps.slice(0, middle)];
}
