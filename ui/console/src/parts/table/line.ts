import type { KeyboardEvent } from 'react';

/** Moves the focus between the controls of a line that is one stop of the Tab key. */
export function moveInLine(event: KeyboardEvent<HTMLElement>): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-stop]')];
  const place = stops.findIndex((stop) => stop === event.target);
  if (place === -1) return;
  const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl';
  const next = placeAfter(event.key, place, { count: stops.length, isMirrored });
  if (next === undefined) return;
  event.preventDefault();
  stops[next]?.focus();
}

interface Line {
  readonly count: number;
  /** Whether it is read from right to left. */
  readonly isMirrored: boolean;
}

/** Returns where a key leads; undefined: it leads nowhere. */
export function placeAfter(
  key: string,
  place: number,
  { count, isMirrored }: Line,
): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const forward = isMirrored ? 'ArrowLeft' : 'ArrowRight';
  const back = isMirrored ? 'ArrowRight' : 'ArrowLeft';
  if (key !== forward && key !== back) return undefined;
  return (place + (key === forward ? 1 : count - 1)) % count;
}
