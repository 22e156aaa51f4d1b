import type { BenchDatabase } from '../target/database.ts';
import type { Peers } from '../target/peers.ts';
import type { Seed } from '../target/seed.ts';
import type { Options } from '../options.ts';

/** The state that all rows of a run share. */
export interface Bench {
  readonly options: Options;
  readonly database: BenchDatabase;
  readonly seed: Seed;
  readonly peers: Peers;
  readonly env: Readonly<Record<string, string>>;
}
