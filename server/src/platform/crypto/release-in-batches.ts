/**
 * Lets go of several at a time: whoever comes is held until so many have come, or until fewer than that are sure to
 * come behind them. What several do at once costs less than the same one by one, since each finds in the processor's
 * caches what the one before has used. Who has no patience is let go at once, and holds nobody longer.
 * @returns to be called with how many are sure to come
 */
export function together(size: number): (sureToCome: number, isPatient?: boolean) => Promise<void> {
  let held: (() => void)[] = [];
  /** How many came since the first one who is held, that one included. */
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
