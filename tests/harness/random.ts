/** A repeatable source of randomness: the same seed gives the same numbers (mulberry32). */
export interface Random {
  readonly seed: number;
  /** A whole number from `low` up to, and not including, `high`. */
  between(low: number, high: number): number;
  shuffled<T>(items: readonly T[]): T[];
}

/** The seed is KEYWRIGHT_TEST_SEED, or random. A test that uses it prints it on failure. */
export function seededRandom(
  seed = Number(process.env['KEYWRIGHT_TEST_SEED'] ?? newSeed()),
): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low));
  return {
    seed,
    between,
    shuffled(items) {
      const copy = [...items];
      for (let last = copy.length - 1; last > 0; last -= 1) {
        const other = between(0, last + 1);
        [copy[last], copy[other]] = [copy[other] as never, copy[last] as never];
      }
      return copy;
    },
  };
}

function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}
