import type { Page } from '../../../platform/db/page.ts';
import type { SortField, Start } from './list-store.ts';

/** A page begins no further behind a checkpoint than this. */
export const STEP = 500;

/** Before the first user, and after the last one. */
const ENDS: Readonly<Record<SortField, readonly [first: string, last: string]>> = {
  created_at: ['-infinity', 'infinity'],
  identifier: ['', '\u{10FFFF}'],
};

/** Where a list begins, or where a cursor leads to. */
export function plainStart({ field, descending, after, offset }: Page): Start {
  const [first, last] = ENDS[field as SortField];
  return { ...(after ?? { value: descending ? last : first, id: '' }), skip: offset };
}

/** A user, by what the list is sorted by. */
export interface Checkpoint {
  readonly value: string;
  readonly id: string;
}

/**
 * Where a page by number begins, without counting up to it.
 * @param checkpoints the users in the places STEP - 1, 2 × STEP - 1, … of the ascending order
 */
export function startAtCheckpoint(
  { field, descending, offset }: Page,
  checkpoints: readonly Checkpoint[],
  total: number,
): Start {
  const [first, last] = ENDS[field as SortField];
  if (!descending) {
    const passed = Math.min(Math.floor(offset / STEP), checkpoints.length);
    return {
      ...(checkpoints[passed - 1] ?? { value: first, id: '' }),
      skip: offset - passed * STEP,
    };
  }
  const place = total - 1 - offset;
  if (place < 0) return { value: first, id: '', skip: 0 };
  const beyond = Math.floor((place + 1) / STEP);
  const checkpoint = checkpoints[beyond];
  // Behind the last checkpoint there is the end of the list.
  if (!checkpoint) return { value: last, id: '', skip: offset };
  return { ...checkpoint, skip: (beyond + 1) * STEP - 2 - place };
}
