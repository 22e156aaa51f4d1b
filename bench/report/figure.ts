import type { Party } from '../measure/party.ts';
import { median } from '../measure/statistics.ts';
import type { Conditions } from './record.ts';
import type { Verdict } from './verdict.ts';

/** A line of a result file with one figure, such as the time of a start. */
export interface FigureRecord extends Conditions {
  readonly row: string;
  readonly party: Party;
  /** The median of the rounds, unless the row uses another value. */
  readonly value: number;
  readonly unit: 'ms' | 'µs' | 'MB' | '%';
  /** Of each round. */
  readonly values: readonly number[];
  readonly bar: string;
  readonly verdict: Verdict | null;
}

type Found = Pick<FigureRecord, 'row' | 'party' | 'unit' | 'values'> & {
  /** The bar. */
  readonly atMost?: number;
  /** Default: the median of the values. */
  readonly value?: number;
};

export function figureOf(conditions: Conditions, found: Found): FigureRecord {
  const { atMost, unit, values } = found;
  const value = found.value ?? median(values);
  const ratio = atMost === undefined ? undefined : value / atMost;
  return {
    row: found.row,
    party: found.party,
    ...conditions,
    value: rounded(value),
    unit,
    values: values.map(rounded),
    bar: atMost === undefined ? '' : `${atMost} ${unit}`,
    verdict: ratio === undefined ? null : { ratio, isMet: ratio <= 1 },
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}
