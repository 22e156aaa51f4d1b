import type { Answer } from '../harness/http.ts';
import { parallel } from '../harness/parallel.ts';
import { until } from '../harness/until.ts';

/** The number of concurrent clients. */
export const CLIENTS = 6;

export interface Asked<One> {
  /** Whether this was sent after the response to the change. */
  readonly isLate: boolean;
  readonly answer: One;
}

/** Sends requests continuously from each client, during the change and for a while after. */
export async function requestDuring<One extends Answer<unknown>>(
  ask: (asker: number) => Promise<One>,
  change: () => Promise<unknown>,
): Promise<Asked<One>[]> {
  const asked: Asked<One>[] = [];
  const state = { isLate: false, isOver: false };
  const askers = parallel(CLIENTS, async (asker) => {
    while (!state.isOver) {
      const { isLate } = state;
      asked.push({ isLate, answer: await ask(asker) });
    }
  });
  try {
    await until('a token was issued', () => asked.some(({ answer }) => answer.status === 200));
    await change();
    state.isLate = true;
    await until('some asked after the change', () => asked.filter((one) => one.isLate).length > 20);
  } finally {
    state.isOver = true;
    await askers;
  }
  return asked;
}
