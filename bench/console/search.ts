import type { Page } from '@keywright/tests/conformance/browser';
import { emailOf, MILLION } from '../target/users.ts';
import { watchRows } from './in-page.ts';

/** A step through the million that meets no user twice. */
const STEP = 7919;

export interface Searched {
  /** From the last letter on, with the pause that the console waits for more. */
  readonly typedMs: number;
  /** From Enter on, which waits for nothing. */
  readonly enteredMs: number;
}

/** Searches the list of users that is shown: for one address as it is typed, for another one by Enter. */
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
