import type { Party } from '../measure/party.ts';
import { median } from '../measure/statistics.ts';
import type { Bench } from '../measure/bench.ts';
import type { Output } from './output.ts';
import { type Conditions, conditionsOf } from './record.ts';

/** A line of a result file with one figure, such as the time of a start. */
export interface FigureRecord extends Conditions {
  readonly row: string;
  readonly party: Party;
  /** The median of the rounds, unless the row uses another value. */
  readonly value: number;
  readonly unit: 'ms' | 'µs' | 'MB' | '%' | '×';
  /** Of each round. */
  readonly values: readonly number[];
  readonly bar: string;
  /** The value divided by the bar; null without a bar. */
  readonly verdict: { readonly ratio: number; readonly isMet: boolean } | null;
}

type Found = Pick<FigureRecord, 'row' | 'party' | 'unit' | 'values'> & {
  /** The bar, and how to describe it; default: with its unit. */
  readonly atMost?: number;
  readonly bar?: string;
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
    bar: found.bar ?? (atMost === undefined ? '' : `${atMost} ${unit}`),
    verdict: ratio === undefined ? null : { ratio, isMet: ratio <= 1 },
  };
}

/** Records figures of the service on PostgreSQL. */
export function recordFigures(bench: Bench, output: Output) {
  const conditions = conditionsOf(bench);
  return (row: string, unit: FigureRecord['unit'], values: readonly number[], atMost?: number) => {
    output.record(
      figureOf(conditions, {
        row,
        party: 'keywright',
        unit,
        values,
        ...(atMost !== undefined && { atMost }),
      }),
    );
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}
