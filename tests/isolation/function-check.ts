import type { Statement } from '@keywright/server/platform/db/database';
import type { Seeded } from './seed.ts';

export const NOW = new Date('2026-01-15T00:00:00Z');

/** An entry of the audit log, as it is handed over. */
export const RECORDED = JSON.stringify([
  {
    id: 'aud_new',
    created_at: NOW,
    actor_kind: 'anonymous',
    action: 'auth.denied',
    target_kind: 'route',
    outcome: 'denied',
    count: 3,
    details: { workspace_id: 'ws_default' },
    mac: `\\x${'00'.repeat(32)}`,
  },
]);

/** The test environment of a function call. */
export interface Tested {
  readonly local: Seeded;
  readonly foreign: Seeded;
  /** Returns the first column of the result. */
  readonly value: (call: string, ...values: readonly unknown[]) => Promise<unknown>;
  /** The rows of the answer. */
  readonly rows: (
    call: string,
    ...values: readonly unknown[]
  ) => Promise<Record<string, unknown>[]>;
  /** The rows of the statement that calls a function for each item, sorted by `place`: the place of the item, from 1. */
  readonly batch: (
    call: Statement & { readonly values: (items: readonly never[]) => unknown[] },
    ...items: readonly Readonly<Record<string, unknown>>[]
  ) => Promise<Record<string, unknown>[]>;
  /** The tenants whose rows a statement changes. */
  readonly changed: (sql: string) => Promise<string[]>;
  /** Any statement, as the owner of the tables. */
  readonly asOwner: (sql: string) => Promise<unknown>;
  /** Runs the calls as the own tenant and rolls back their changes. */
  readonly entered: <T>(work: () => Promise<T>) => Promise<T>;
  /** Starts the deletion of the own tenant. */
  readonly deleteTenant: () => Promise<unknown>;
}

export type Check = (tested: Tested) => Promise<void>;
