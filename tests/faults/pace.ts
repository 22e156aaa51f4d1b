import { setTimeout as pause } from 'node:timers/promises';

const TICK_MS = 5;

/**
 * Sends at a constant rate regardless of responses, like independent clients. Resolves when all are settled.
 * @throws the first failure
 */
export async function paced(
  perSecond: number,
  isOver: () => boolean,
  send: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let sent = 0;
  while (!isOver() && failures.length === 0) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
    for (; sent < due; sent += 1) {
      const sending = send()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
    await pause(TICK_MS);
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
}

/** The throughput per second with a constant number of concurrent requests. */
export async function capacity(
  width: number,
  seconds: number,
  send: () => Promise<void>,
): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  const work = async () => {
    while (performance.now() - startedAt < seconds * 1000) {
      await send();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return done / ((performance.now() - startedAt) / 1000);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((value, other) => value - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
