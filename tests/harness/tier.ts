/** Set by `npm run test:deep`, and inherited by the processes of a test run. */
export const TIER = 'KEYWRIGHT_TEST_TIER';

/** Whether to repeat a guarantee for every variant. `npm test` shows it once. */
export const isDeep = (): boolean => process.env[TIER] === 'deep';

/** The number of repetitions of a fault: one in `npm test`. */
export const repeated = (times: number): number => (isDeep() ? times : 1);

/** Set by `npm test` to the number of commits, so that each run takes other variants. */
export const TURN = 'KEYWRIGHT_TEST_TURN';

/** All variants in the deep tests, otherwise one, which changes with the index and with each run. */
export function selectVariants<Variant>(
  variants: readonly Variant[],
  index: number,
): readonly Variant[] {
  if (isDeep()) return variants;
  const turn = Number(process.env[TURN] ?? 0) + index;
  return variants.slice(turn % variants.length).slice(0, 1);
}
