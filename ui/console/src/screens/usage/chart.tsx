import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useBrush } from './brush.ts';
import { type FigureName, figureOf, type Step } from './series.ts';

const HEIGHT = 100;
const WIDTH = 600;

interface Props {
  readonly name: FigureName;
  readonly steps: readonly Step[];
  readonly label: string;
}

/**
 * Bars of successes, with failures above them. Selecting bars opens the audit log of their time. The table next to
 * the chart shows the same data, and links there from each step.
 */
export function Chart({ name, steps, label }: Props) {
  const { say, number } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  const figures = steps.map((step) => figureOf(name, step));
  const most = Math.max(1, ...figures.map(({ good, bad }) => good + bad));
  const width = WIDTH / Math.max(1, steps.length);
  const { brushed, handlers } = useBrush(steps.length, ([first, last]) => {
    const [from, to] = [steps[first]?.from, steps[last]?.to];
    void navigate({ to: `/t/${tenant}/audit`, search: { from, to } });
  });
  const tall = (value: number) => (value / most) * HEIGHT;
  return (
    <figure className="chart" dir="ltr">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={say('chartOf', { name: label, most: number(most) })}
        {...handlers}
      >
        {steps.map(({ from }, at) => {
          const { good, bad } = figures[at] ?? { good: 0, bad: 0 };
          const place = { x: at * width, width: Math.max(0.5, width - 1) };
          const isBrushed = brushed && brushed[0] <= at && at <= brushed[1];
          return (
            <g key={from} className={isBrushed ? 'bar-of brushed' : 'bar-of'}>
              <rect {...place} y={0} height={HEIGHT} className="room" />
              <rect {...place} y={HEIGHT - tall(good)} height={tall(good)} className="good" />
              <rect
                {...place}
                y={HEIGHT - tall(good) - tall(bad)}
                height={tall(bad)}
                className="bad"
              />
            </g>
          );
        })}
      </svg>
      <Ends steps={steps} />
    </figure>
  );
}

function Ends({ steps }: { readonly steps: readonly Step[] }) {
  const { absolute } = useTexts();
  const first = steps[0];
  const last = steps.at(-1);
  if (!first || !last) return null;
  return (
    <figcaption className="ends muted">
      <time dateTime={first.from}>{absolute(Date.parse(first.from))}</time>
      <time dateTime={last.to}>{absolute(Date.parse(last.to))}</time>
    </figcaption>
  );
}
