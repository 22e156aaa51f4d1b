/** Relative jitter of delays, so that jobs that failed together are not retried together. */
const JITTER = 0.1;

/**
 * When the next attempt is due after `attempts` failed ones; undefined after the last one.
 * @param delaysMs delay after each failed attempt
 */
export function nextAttemptAt(
  delaysMs: readonly number[],
  attempts: number,
  now: Date,
  random = Math.random(),
): Date | undefined {
  const delay = delaysMs[attempts - 1];
  if (delay === undefined) return undefined;
  return new Date(now.getTime() + delay * (1 + JITTER * (2 * random - 1)));
}
