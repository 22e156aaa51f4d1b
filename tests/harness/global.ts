import { shareServer } from './database.ts';
import { shareCompiledCode } from './child-environment.ts';
import { shareClusters } from './prepared-clusters.ts';

let end: (() => Promise<void>) | undefined;

/** Run by `node --test` once, before the first test file: one PostgreSQL and one migrated template for all. */
export async function globalSetup(): Promise<void> {
  shareCompiledCode();
  await shareClusters();
  end = await shareServer();
}

export async function globalTeardown(): Promise<void> {
  await end?.();
}
