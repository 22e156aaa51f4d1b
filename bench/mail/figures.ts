import type { Bench } from '../measure/bench.ts';
import { figureOf } from '../report/figure.ts';
import type { Output } from '../report/output.ts';
import { conditionsOf } from '../report/record.ts';

/** Records figures of the rows about email. */
export function recordFigures(bench: Bench, output: Output) {
  const conditions = conditionsOf(bench);
  return (
    row: string,
    unit: 'ms' | 'µs' | '%' | 'MB',
    values: readonly number[],
    atMost: number,
  ) => {
    output.record(figureOf(conditions, { row, party: 'keywright', unit, values, atMost }));
  };
}
