import { useNavigate } from '@tanstack/react-router';
import { type PointerEvent, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useBrush } from './brush.ts';
import { type Scale, scaleOf } from './scale.ts';

const WIDTH = 600;
const HEIGHT = 100;
/** Marks on the time axis of a tall chart, and of one of several side by side. */
const MARKS = { tall: 5, small: 3 };

/** A part of each bar. */
export interface Series {
  readonly name: string;
  readonly label: string;
  /** Failures are always `bad`. */
  readonly tone: 'c1' | 'c2' | 'c3' | 'c4' | 'bad';
  /** One for each bar. */
  readonly values: readonly number[];
}

/** The time of a bar. */
interface Span {
  readonly from: string;
  readonly to: string;
}

interface Props {
  readonly label: string;
  readonly spans: readonly Span[];
  /** From the bottom up */
  readonly series: readonly Series[];
  readonly isTall?: boolean;
  /** Names the time zone; off below a chart of the same times. */
  readonly hasZone?: boolean;
}

/**
 * Stacked bars over time. Pointing at a bar shows its values. Selecting bars opens the audit log of their time. A table
 * next to the chart shows the same data, and links there from each step.
 */
export function Bars({ label, spans, series, isTall = false, hasZone = true }: Props) {
  const { say, number } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  const totals = spans.map((_, at) => sumAt(series, at));
  const scale = scaleOf(totals);
  const { brushed, handlers } = useBrush(spans.length, ([first, last]) => {
    const [from, to] = [spans[first]?.from, spans[last]?.to];
    void navigate({ to: `/t/${tenant}/audit`, search: { from, to } });
  });
  const { pointed, pointing } = usePointed(spans.length, handlers.onPointerMove);
  return (
    <figure className={isTall ? 'chart tall' : 'chart'}>
      <Legend series={series} pointed={pointed} />
      <div className="plot" dir="ltr">
        <ValueAxis top={scale.top} />
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={say('chartOf', { name: label, most: number(scale.most) })}
          {...handlers}
          {...pointing}
        >
          {[0, HEIGHT / 2, HEIGHT].map((y) => (
            <line key={y} className="grid" x1="0" x2={WIDTH} y1={y} y2={y} />
          ))}
          {spans.map(({ from }, at) => (
            <Bar
              key={from}
              at={at}
              of={spans.length}
              series={series}
              scale={scale}
              isMarked={brushed ? brushed[0] <= at && at <= brushed[1] : false}
              isPointed={pointed === at}
            />
          ))}
        </svg>
      </div>
      <TimeAxis {...{ spans, pointed, isTall, hasZone }} />
      {scale.cut > 0 && (
        <p className="muted">{say('barsCut', { count: scale.cut, most: number(scale.most) })}</p>
      )}
    </figure>
  );
}

/** Three marks, from the top down. */
function ValueAxis({ top }: Pick<Scale, 'top'>) {
  const { number } = useTexts();
  return (
    <div className="axis" aria-hidden="true">
      {[top, top / 2, 0].map((value) => (
        <span key={value}>{number(value)}</span>
      ))}
    </div>
  );
}

function sumAt(series: readonly Series[], at: number): number {
  return series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
}

type OnPointer = (event: PointerEvent<SVGSVGElement>) => void;

/** The bar under the pointer; undefined: none. */
function usePointed(count: number, onMove: OnPointer) {
  const [pointed, setPointed] = useState<number>();
  const pointing = {
    onPointerMove(event: PointerEvent<SVGSVGElement>) {
      const { left, width } = event.currentTarget.getBoundingClientRect();
      const at = Math.floor(((event.clientX - left) / width) * count);
      setPointed(Math.min(count - 1, Math.max(0, at)));
      onMove(event);
    },
    onPointerLeave: () => setPointed(undefined),
  };
  return { pointed, pointing };
}

interface BarProps {
  readonly at: number;
  readonly of: number;
  readonly series: readonly Series[];
  readonly scale: Scale;
  readonly isMarked: boolean;
  readonly isPointed: boolean;
}

function Bar({ at, of, series, scale, isMarked, isPointed }: BarProps) {
  const width = WIDTH / Math.max(1, of);
  const place = { x: at * width + width * 0.1, width: Math.max(0.5, width * 0.8) };
  const middle = (at + 0.5) * width;
  let top = 0;
  const parts = series.map(({ name, tone, values }) => {
    const from = Math.min(scale.top, top);
    top += values[at] ?? 0;
    const to = Math.min(scale.top, top);
    return { name, tone, y: tall(scale.top - to, scale), height: tall(to - from, scale) };
  });
  return (
    <g className={isMarked ? 'bar-of brushed' : 'bar-of'}>
      <rect x={at * width} width={width} y={0} height={HEIGHT} className="room" />
      {parts.map(({ name, tone, y, height }) => (
        <rect key={name} {...place} y={y} height={height} className={tone} />
      ))}
      {top > scale.top && <rect {...place} y={4} height={2} className="cut" />}
      {isPointed && <line className="pointed" x1={middle} x2={middle} y1={0} y2={HEIGHT} />}
    </g>
  );
}

const tall = (value: number, { top }: Scale) => (value / top) * HEIGHT;

/** Names the series, with their values at the pointed bar, or in all. */
function Legend({
  series,
  pointed,
}: {
  readonly series: readonly Series[];
  readonly pointed: number | undefined;
}) {
  const { number } = useTexts();
  const valueOf = ({ values }: Series) =>
    pointed === undefined ? values.reduce((sum, value) => sum + value, 0) : (values[pointed] ?? 0);
  return (
    <ul className="legend">
      {series.map((part) => (
        <li key={part.name} className={part.tone}>
          {part.label} <b>{number(valueOf(part))}</b>
        </li>
      ))}
    </ul>
  );
}

const HOUR_MS = 3_600_000;

/** Names the time of the pointed bar, or else of some bars, and the time zone. */
function TimeAxis({
  spans,
  pointed,
  isTall,
  hasZone,
}: {
  readonly spans: readonly Span[];
  readonly pointed: number | undefined;
  readonly isTall: boolean;
  readonly hasZone: boolean;
}) {
  const { say, locale } = useTexts();
  const most = isTall ? MARKS.tall : MARKS.small;
  const [first] = spans;
  if (!first) return null;
  const isOfDays = Date.parse(first.to) - Date.parse(first.from) > HOUR_MS;
  const zone = isOfDays ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const format = new Intl.DateTimeFormat(`${locale}-u-nu-latn`, {
    timeZone: zone,
    ...(isOfDays
      ? { month: 'short', day: 'numeric' }
      : { weekday: 'short', hour: 'numeric', minute: '2-digit' }),
  });
  const textOf = (moment: string) => format.format(Date.parse(moment));
  const shown = pointed === undefined ? undefined : spans[pointed];
  const marks = Array.from({ length: Math.min(most, spans.length) }, (_, mark) => {
    const place = Math.round((mark / (most - 1)) * (spans.length - 1));
    return spans[place]?.from ?? first.from;
  });
  return (
    <figcaption className="times muted">
      <span className="marks" dir="ltr" aria-hidden="true">
        {shown ? (
          <strong>{format.formatRange(Date.parse(shown.from), Date.parse(shown.to))}</strong>
        ) : (
          marks.map((moment) => <span key={moment}>{textOf(moment)}</span>)
        )}
      </span>
      {hasZone && <span>{say('timesIn', { zone: zone.replaceAll('_', ' ') })}</span>}
    </figcaption>
  );
}
