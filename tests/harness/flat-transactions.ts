// A transaction that waits for a second connection can wait forever: the embedded database has only one, and a pool can
// be exhausted. This module makes such a statement an error.

import { AsyncLocalStorage } from 'node:async_hooks';
import { TransactionBuilder } from 'kysely';
import pg from 'pg';

interface OpenTransaction {
  isOpen: boolean;
  connection?: object;
}

type Execute = (work: (tx: never) => Promise<unknown>) => Promise<unknown>;
type Query = (config: string | { readonly name?: string; readonly text: string }) => unknown;

const within = new AsyncLocalStorage<OpenTransaction>();

/** Once for the process. */
export function keepTransactionsFlat(): void {
  const builder = TransactionBuilder.prototype as unknown as { execute: Execute };
  const { execute } = builder;
  builder.execute = function flat(this: unknown, work) {
    const transaction: OpenTransaction = { isOpen: true };
    return within.run(transaction, async () => {
      try {
        return await execute.call(this, work);
      } finally {
        transaction.isOpen = false;
      }
    });
  };

  const client: { query: Query } = pg.Client.prototype;
  const { query } = client;
  client.query = function watched(this: object, ...args: Parameters<Query>) {
    const transaction = within.getStore();
    if (transaction?.isOpen) {
      const [config] = args;
      const text = typeof config === 'string' ? config : config.text;
      if (text.startsWith('begin') || text.startsWith('start transaction')) {
        transaction.connection = this;
      } else if (text.includes('pg_try_advisory_xact_lock')) {
        // A migration holds this lock while it builds an index outside the transaction.
        transaction.isOpen = false;
      } else if (transaction.connection && transaction.connection !== this) {
        const name = typeof config === 'string' ? undefined : config.name;
        throw new Error(`within a transaction, a statement on another connection: ${name ?? text}`);
      }
    }
    return query.apply(this, args);
  };
}

/** Runs `work` outside the transaction, for a test that acts as two concurrent clients itself. */
export function aside<T>(work: () => T): T {
  return within.exit(work);
}
