import { type Fetch, globalFetch } from '../../../sdk/src/fetch.ts';

/** Far larger than the largest page of a list. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The response does not come from Keywright. */
export class UnexpectedAnswerError extends Error {
  constructor() {
    super('The response is not from Keywright.');
    this.name = 'UnexpectedAnswerError';
  }
}

/** Calls `fetch` with a limit on the size of the response. */
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
      if (bytes > MAX_BYTES) controller.error(new UnexpectedAnswerError());
      else controller.enqueue(chunk);
    },
  });
}
