import { setTimeout as pause } from 'node:timers/promises';

/**
 * The one place where tests wait: asks `probe` until it answers something other than `undefined` or
 * `false`, and fails with `what` when the deadline passes. An error that `probe` throws ends the wait.
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  deadlineMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`waited ${deadlineMs} ms in vain: ${what}`);
    await pause(10);
  }
}
