// The API as a test wants it, for a page of the console. Playwright's `route` would turn off the cache of the browser, which
// then reads and compiles all scripts of each screen again.

import type { CDPSession, Page } from 'playwright-core';

/** Below the API of the console. */
const API = /^\/console\/api\/t\/[^/]+/;

/** A request that waits for the test's decision, which has no effect once the page has aborted the request. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  /** Below the API: `/users`. */
  readonly path: string;
  /** The answer of the service. */
  pass(): Promise<void>;
  answer(status: number, body: object, headers?: Readonly<Record<string, string>>): Promise<void>;
  /** The answer of the service; where it is JSON, as `change` has it. */
  rewrite(change: (body: unknown) => unknown): Promise<void>;
}

interface Paused {
  readonly requestId: string;
  readonly networkId?: string;
  readonly request: { readonly method: string; readonly url: string };
  readonly responseStatusCode?: number;
  readonly responseHeaders?: { readonly name: string; readonly value: string }[];
}

export async function intercept(
  page: Page,
  decide: (asked: Asked) => Promise<void>,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  /** What becomes of an answer, by the id of its request. */
  const rewritten = new Map<string, (body: unknown) => unknown>();
  session.on('Fetch.requestPaused', (paused) => {
    const change = rewritten.get(paused.networkId ?? '');
    rewritten.delete(paused.networkId ?? '');
    void (change === undefined
      ? decide(askedOf(session, paused, rewritten))
      : rewriteAnswer(session, paused, change));
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/console/api/*' }] });
}

function askedOf(
  session: CDPSession,
  { requestId, networkId = '', request: { method, url } }: Paused,
  rewritten: Map<string, (body: unknown) => unknown>,
): Asked {
  const go = (interceptResponse: boolean) =>
    ifThere(session.send('Fetch.continueRequest', { requestId, interceptResponse }));
  return {
    method,
    url,
    path: new URL(url).pathname.replace(API, ''),
    pass: () => go(false),
    answer: (status, body, headers) =>
      fulfill(session, requestId, status, body, { 'content-type': 'application/json', ...headers }),
    rewrite(change) {
      rewritten.set(networkId, change);
      return go(true);
    },
  };
}

async function rewriteAnswer(
  session: CDPSession,
  { requestId, responseStatusCode: status = 0, responseHeaders = [] }: Paused,
  change: (body: unknown) => unknown,
): Promise<void> {
  const headers = new Map(responseHeaders.map(({ name, value }) => [name.toLowerCase(), value]));
  if (!/json/.test(headers.get('content-type') ?? '')) {
    return ifThere(session.send('Fetch.continueRequest', { requestId }));
  }
  const read = session.send('Fetch.getResponseBody', { requestId }).catch(() => undefined);
  const answer = await read;
  if (!answer) return undefined;
  const text = Buffer.from(answer.body, answer.base64Encoded ? 'base64' : 'utf8').toString('utf8');
  // Its length and its coding are those of another body.
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  const body = change(JSON.parse(text)) as object;
  return fulfill(session, requestId, status, body, Object.fromEntries(headers));
}

function fulfill(
  session: CDPSession,
  requestId: string,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  return ifThere(
    session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: status,
      responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
      body: Buffer.from(JSON.stringify(body)).toString('base64'),
    }),
  );
}

/** A page that is left gives its requests up. */
async function ifThere(sent: Promise<unknown>): Promise<void> {
  await sent.catch((error: Error) => {
    if (!/Invalid InterceptionId|closed/.test(error.message)) throw error;
  });
}
