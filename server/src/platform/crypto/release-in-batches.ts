/**
 * Releases callers in batches: a caller is held until the batch is full, or until fewer than that are sure to follow.
 * Running several together costs less, since each finds in the CPU caches what the previous one used. An impatient
 * caller is released at once, with all that are held.
 * @returns a function to call with the number of callers sure to follow
 */
export function together(size: number): (sureToCome: number, isPatient?: boolean) => Promise<void> {
  let held: (() => void)[] = [];
  /** Number of callers since the first one held, including it. */
  let came = 0;
  return (sureToCome, isPatient = true) =>
    new Promise((resolve) => {
      if (isPatient) held.push(resolve);
      else resolve();
      came = held.length === 0 ? 0 : came + 1;
      if (came < size && sureToCome >= size) return;
      const all = held;
      held = [];
      came = 0;
      for (const letGo of all) letGo();
    });
}
