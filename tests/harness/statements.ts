import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import pg from 'pg';

/** What was sent to PostgreSQL because of requests: the name of each statement, or its text where it has none. */
export interface Statements {
  readonly sent: readonly string[];
  stop(): void;
}

type Query = (config: string | { readonly name?: string; readonly text: string }) => unknown;

const REQUEST_START = 'http.server.request.start';

/**
 * Takes down each statement of this process that a request leads to, on whichever connection. What the
 * service does by itself now and then is left out: it comes from no request.
 */
export function watchStatements(): Statements {
  const sent: string[] = [];
  const request = new AsyncLocalStorage<true>();
  const enter = () => request.enterWith(true);
  const prototype = pg.Client.prototype as { query: Query };
  const { query } = prototype;
  prototype.query = function watched(this: unknown, ...args: Parameters<Query>) {
    const [config] = args;
    if (request.getStore()) {
      sent.push(typeof config === 'string' ? config : (config.name ?? config.text));
    }
    return query.apply(this, args);
  };
  subscribe(REQUEST_START, enter);
  return {
    sent,
    stop() {
      unsubscribe(REQUEST_START, enter);
      prototype.query = query;
    },
  };
}
