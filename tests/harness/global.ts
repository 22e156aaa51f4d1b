import { shareServer } from './database.ts';

let end: (() => Promise<void>) | undefined;

/** Run by `node --test` once, before the first test file: one PostgreSQL and one migrated template for all. */
export async function globalSetup(): Promise<void> {
  end = await shareServer();
}

export async function globalTeardown(): Promise<void> {
  await end?.();
}
