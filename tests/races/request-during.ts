import type { Answer } from '../harness/http.ts';
import { parallel } from '../harness/parallel.ts';
import { until } from '../harness/until.ts';

/** The number of concurrent clients. */
export const CLIENTS = 6;

export interface TimedAnswer<Reply> {
  /** Whether this was sent after the response to the change. */
  readonly isLate: boolean;
  readonly answer: Reply;
}

/** Sends requests continuously from each client, during the change and for a while after. */
export async function requestDuring<Reply extends Answer<unknown>>(
  request: (asker: number) => Promise<Reply>,
  change: () => Promise<unknown>,
): Promise<TimedAnswer<Reply>[]> {
  const answers: TimedAnswer<Reply>[] = [];
  const state = { isLate: false, isOver: false };
  const askers = parallel(CLIENTS, async (asker) => {
    while (!state.isOver) {
      const { isLate } = state;
      answers.push({ isLate, answer: await request(asker) });
    }
  });
  try {
    await until('a token was issued', () => answers.some(({ answer }) => answer.status === 200));
    await change();
    state.isLate = true;
    await until(
      'some asked after the change',
      () => answers.filter((timed) => timed.isLate).length > 20,
    );
  } finally {
    state.isOver = true;
    await askers;
  }
  return answers;
}
