import { type PointerEvent, useState } from 'react';

/** The first and the last of the selected steps. */
export type Brushed = readonly [first: number, last: number];

interface Brush {
  readonly brushed: Brushed | undefined;
  readonly handlers: Readonly<
    Record<
      'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel',
      (event: PointerEvent<SVGSVGElement>) => void
    >
  >;
}

/**
 * Selects steps of a chart by dragging over them; a click selects one.
 * @param count number of steps, from left to right
 */
export function useBrush(count: number, onSelect: (brushed: Brushed) => void): Brush {
  const [ends, setEnds] = useState<readonly [start: number, end: number]>();
  const stepAt = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const step = Math.floor(((clientX - left) / width) * count);
    return Math.min(count - 1, Math.max(0, step));
  };
  const brushed = ends && ([Math.min(...ends), Math.max(...ends)] as const);
  return {
    brushed,
    handlers: {
      onPointerDown(event) {
        if (event.button !== 0 || count === 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const step = stepAt(event);
        setEnds([step, step]);
      },
      onPointerMove(event) {
        if (ends) setEnds([ends[0], stepAt(event)]);
      },
      onPointerUp() {
        setEnds(undefined);
        if (brushed) onSelect(brushed);
      },
      onPointerCancel: () => setEnds(undefined),
    },
  };
}
