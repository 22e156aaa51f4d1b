import { apiOf, request } from './call.ts';
import { withRetries } from './retry.ts';
import { type AnswerOf, factsOfRoute, type InputOf, pathOf } from './routes.ts';

type Id = 'users.import';

/**
 * Sends JSON lines to a route that can safely receive the same lines again.
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
  const answer = await withRetries(
    () => request(address, { method, headers, body: lines, signal }),
    signal,
  );
  return (await answer.json()) as AnswerOf<Id>;
}
