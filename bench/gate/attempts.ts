import { isDearer, type Ratios } from '../report/verdict.ts';

/**
 * The rounds of each measurement of a row. Other work on the machine can distort one of them, so only a row that is
 * dearer in all of them fails.
 */
export const ATTEMPTS = [3, 5, 7] as const;

/** With more other work, cheap requests cost more relative to their floor and to peers, in every measurement. */
const QUIET_CORES = 0.25;

interface Attempt {
  readonly ratios: Ratios;
  /** Cores that other work on the machine kept busy during that time. */
  readonly othersCores: number;
}

export type GateVerdict =
  /** Disturbed: it was dearer whenever it was measured, but not on a quiet machine. */
  | { readonly kind: 'passed' | 'dearer' | 'disturbed'; readonly now: Ratios }
  /** The last publication has no best peer from the same run. */
  | { readonly kind: 'not compared' };

/** Measures until the row is not dearer than before. */
export async function compare(
  measure: (rounds: number) => Promise<Attempt>,
  before: Ratios | undefined,
): Promise<GateVerdict> {
  if (before?.toPeer === undefined) return { kind: 'not compared' };
  const attempts: Attempt[] = [];
  for (const rounds of ATTEMPTS) {
    const attempt = await measure(rounds);
    if (!isDearer(attempt.ratios, before)) return { kind: 'passed', now: attempt.ratios };
    attempts.push(attempt);
  }
  const [best] = attempts.toSorted(
    (attempt, other) => attempt.ratios.toFloor - other.ratios.toFloor,
  );
  if (!best) throw new Error('There is no attempt.');
  const isQuiet = attempts.every(({ othersCores }) => othersCores <= QUIET_CORES);
  return { kind: isQuiet ? 'dearer' : 'disturbed', now: best.ratios };
}
