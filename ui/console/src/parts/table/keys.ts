import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** The link of a row, or the button that opens its details. */
const OPENER = 'tbody td:first-child :is(a, .opens)';

/** Moves from a row's link to the link of the next or previous row. Enter opens it, like any link. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const isChord = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  const { target } = event;
  if (isChord || !(target instanceof HTMLElement) || !target.matches('a, .opens')) return;
  // The menu and the dialogs of a row are elsewhere in the page.
  if (!event.currentTarget.contains(target)) return;
  if (event.key === 'x') pick(target);
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>(OPENER)];
  const row = target.closest('tr');
  const place = links.findIndex((link) => link.closest('tr') === row);
  const next = links[place + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Selects or deselects the row of a link, if rows can be selected. */
function pick(link: HTMLElement): void {
  link.closest('tr')?.querySelector<HTMLInputElement>('.pick input')?.click();
}
