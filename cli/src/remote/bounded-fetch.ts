import { type Fetch, globalFetch } from '../../../sdk/src/fetch.ts';

/** Far above the largest page of a list. */
const MOST_BYTES = 32 * 1024 * 1024;

/** What answers is no Keywright. */
export class UnexpectedAnswerError extends Error {
  constructor() {
    super('The answer is not one of Keywright.');
    this.name = 'UnexpectedAnswerError';
  }
}

/** `fetch` that reads no more of an answer than a service ever sends. */
export const boundedFetch: Fetch = async (address, init) => {
  const response = await globalFetch(address, init);
  if (response.body === null) return response;
  const { status, headers } = response;
  return new Response(response.body.pipeThrough(limiter()), { status, headers });
};

function limiter(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) controller.error(new UnexpectedAnswerError());
      else controller.enqueue(chunk);
    },
  });
}
