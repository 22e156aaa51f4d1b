const WIDTH = 200;
const HEIGHT = 34;
const MARGIN = 2;

interface Props {
  readonly values: readonly number[];
  readonly isBad?: boolean;
}

/** The course of a figure, without numbers: they are next to it. */
export function Sparkline({ values, isBad = false }: Props) {
  const most = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map((value, place) => {
    const y = HEIGHT - MARGIN - (value / most) * (HEIGHT - 2 * MARGIN);
    return `${(place * step).toFixed(1)} ${y.toFixed(1)}`;
  });
  const line = `M${points.join('L')}`;
  return (
    <svg
      className={isBad ? 'sparkline bad' : 'sparkline'}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className="area" d={`${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} />
      <path className="line" d={line} />
    </svg>
  );
}
