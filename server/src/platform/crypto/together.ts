/**
 * Lets go of several at a time: whoever comes is held until so many have come, or until fewer than that are sure to
 * come behind them. What several do at once costs less than the same one by one, since each finds in the processor's
 * caches what the one before has used.
 * @returns to be called with how many are sure to come
 */
export function together(size: number): (sureToCome: number) => Promise<void> {
  let held: (() => void)[] = [];
  return (sureToCome) =>
    new Promise((resolve) => {
      held.push(resolve);
      if (held.length < size && sureToCome >= size) return;
      const all = held;
      held = [];
      for (const letGo of all) letGo();
    });
}
