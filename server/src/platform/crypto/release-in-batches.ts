/**
 * Releases callers in batches: a caller is held until the batch is full, or until fewer callers than a batch are
 * certain to follow. Running several together costs less, since each finds in the CPU caches what the previous one
 * used. An impatient caller is released immediately, together with all held callers.
 * @returns a function to call with the number of callers that are certain to follow
 */
export function inBatches(size: number): (following: number, isPatient?: boolean) => Promise<void> {
  let held: (() => void)[] = [];
  /** Number of callers since the first one held, including it. */
  let arrived = 0;
  return (following, isPatient = true) =>
    new Promise((resolve) => {
      if (isPatient) held.push(resolve);
      else resolve();
      arrived = held.length === 0 ? 0 : arrived + 1;
      if (arrived < size && following >= size) return;
      const all = held;
      held = [];
      arrived = 0;
      for (const release of all) release();
    });
}
