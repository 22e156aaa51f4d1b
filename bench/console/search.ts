import type { Page } from '@keywright/tests/conformance/browser';
import { emailOf, MILLION } from '../target/users.ts';
import { watchRows } from './in-page.ts';

/** A step through the million users that never repeats a user. */
const STEP = 7919;

export interface Searched {
  /** From the last keystroke, including the console's pause for further input. */
  readonly typedMs: number;
  /** From Enter, which starts the search without a pause. */
  readonly enteredMs: number;
}

/** Searches the displayed list of users: for one address as it is typed, for another by Enter. */
export async function search(page: Page, turn: number): Promise<Searched> {
  const field = page.getByRole('searchbox');
  const [typed = '', entered = ''] = [2 * turn, 2 * turn + 1].map((n) =>
    emailOf((n * STEP) % MILLION),
  );
  await field.selectText();
  await page.evaluate(watchRows(typed, 'input'));
  await page.keyboard.insertText(typed);
  const typedMs = await page.evaluate<number>('rowsShown');
  await field.selectText();
  await page.evaluate(watchRows(entered, 'keydown'));
  // Concurrently, so that Enter is pressed before the search's pause is over.
  await Promise.all([page.keyboard.insertText(entered), page.keyboard.press('Enter')]);
  return { typedMs, enteredMs: await page.evaluate<number>('rowsShown') };
}
