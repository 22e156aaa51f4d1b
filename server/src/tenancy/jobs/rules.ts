/** A delay may be this part shorter or longer, so that what failed together does not come back together. */
const JITTER = 0.1;

/**
 * When attempt number `attempts` has failed, the next one is due; undefined after the last one.
 * @param delaysMs how long after each failed attempt the next one is made
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
