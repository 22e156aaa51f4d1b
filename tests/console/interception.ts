// Intercepts the API for a page of the console. Playwright's `route` would turn off the browser's cache, and the
// browser would read and compile all scripts of each screen again.

import type { CDPSession, Page } from 'playwright-core';

/** The base path of the console's API. */
const API = /^\/console\/api\/t\/[^/]+/;

/** A request that waits for the test's decision, which has no effect once the page has aborted the request. */
export interface InterceptedRequest {
  readonly method: string;
  readonly url: string;
  /** Below the API: `/users`. */
  readonly path: string;
  /** Passes the service's response on. */
  pass(): Promise<void>;
  answer(status: number, body: object, headers?: Readonly<Record<string, string>>): Promise<void>;
  /** Passes the service's response on; JSON is changed by `change`. */
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
  decide: (request: InterceptedRequest) => Promise<void>,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  /** The changes of responses, by request ID. */
  const rewritten = new Map<string, (body: unknown) => unknown>();
  session.on('Fetch.requestPaused', (paused) => {
    const change = rewritten.get(paused.networkId ?? '');
    rewritten.delete(paused.networkId ?? '');
    void (change === undefined
      ? decide(interceptedRequestOf(session, paused, rewritten))
      : rewriteAnswer(session, paused, change));
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/console/api/*' }] });
}

function interceptedRequestOf(
  session: CDPSession,
  { requestId, networkId = '', request: { method, url } }: Paused,
  rewritten: Map<string, (body: unknown) => unknown>,
): InterceptedRequest {
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
  // The length and the encoding are those of the original body.
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

/** A page aborts its pending requests when it navigates away. */
async function ifThere(sent: Promise<unknown>): Promise<void> {
  await sent.catch((error: Error) => {
    if (!/Invalid InterceptionId|closed/.test(error.message)) throw error;
  });
}
