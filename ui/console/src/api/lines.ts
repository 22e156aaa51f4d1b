import { apiOf, request } from './call.ts';
import { asProblem, isPassing } from './problem.ts';
import { type AnswerOf, factsOfRoute, type InputOf, pathOf } from './routes.ts';

const MAX_TRIES = 5;

type Id = 'users.import';

/**
 * Sends JSON lines to a route that takes the same ones again without harm, and so repeats what had no answer.
 * @throws Problem
 */
export async function sendLines(
  tenant: string,
  id: Id,
  query: NonNullable<InputOf<Id>['query']>,
  { lines, signal }: { readonly lines: string; readonly signal: AbortSignal },
): Promise<AnswerOf<Id>> {
  const address = `${apiOf(tenant)}${pathOf(id, { query })}`;
  const { method } = factsOfRoute(id);
  const headers = { accept: 'application/json', 'content-type': 'application/x-ndjson' };
  for (let tries = 1; ; tries += 1) {
    try {
      const answer = await request(address, { method, headers, body: lines, signal });
      return (await answer.json()) as AnswerOf<Id>;
    } catch (error) {
      const problem = asProblem(error);
      if (signal.aborted || tries === MAX_TRIES || !isPassing(problem)) throw error;
      await pause((problem.retryAfter ?? 0.5 * 2 ** tries) * 1000, signal);
    }
  }
}

/** @throws the reason of the signal, when it aborts first */
function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, durationMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
