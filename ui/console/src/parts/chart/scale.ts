/** If the highest bar is more than this many times the 95th percentile, it is cut off. */
const OUTLIER = 2.5;
/** With fewer bars than this, a percentile means nothing. */
const FEWEST_BARS = 12;

export interface Scale {
  /** The value at the top of the axis, twice a whole number. */
  readonly top: number;
  /** How many bars are higher, and are cut off. */
  readonly cut: number;
  /** The highest value. */
  readonly most: number;
}

/** Returns the axis of bars. A few outliers are cut off, so that the others can be compared. */
export function scaleOf(totals: readonly number[]): Scale {
  const most = Math.max(0, ...totals);
  const busy = totals.filter((total) => total > 0).toSorted((a, b) => a - b);
  const usual = busy[Math.floor((busy.length - 1) * 0.95)] ?? 0;
  const hasOutlier = busy.length >= FEWEST_BARS && most > OUTLIER * usual;
  const top = roundUp(hasOutlier ? usual : most);
  return { top, cut: totals.filter((total) => total > top).length, most };
}

/** Returns the next of 2, 4, 6, 8, 10, 20, 40 …, so that half of it is whole. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  const steps = [1, 2, 4, 6, 8, 10].map((multiple) => multiple * power);
  return steps.find((step) => step >= value && step % 2 === 0) ?? 20 * power;
}

/** Returns the change in percent, rounded; undefined if the earlier value is 0. */
export function changeOf(now: number, before: number): number | undefined {
  return before === 0 ? undefined : Math.round(((now - before) / before) * 100);
}
