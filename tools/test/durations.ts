// How long each test file takes on the reference machine (budget.ts), as `npm test -- --record` wrote it: the longest start
// first, and a run reports how long it will take.

import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../../tests/durations.json', import.meta.url);
/** The estimate for a file that was not recorded. */
const UNKNOWN_SECONDS = 10;

type Seconds = Readonly<Record<string, number>>;

export class Durations {
  readonly #seconds: Seconds;
  readonly #slowness: number;

  /** @param slowness of this machine (budget.ts) */
  constructor(seconds: Seconds, slowness = 1) {
    this.#seconds = seconds;
    this.#slowness = slowness;
  }

  static read(slowness: number): Durations {
    return new Durations(JSON.parse(readFileSync(FILE, 'utf8')) as Seconds, slowness);
  }

  /**
   * The longest first, in groups whose durations differ by a factor of four at most; within a group, an order by hash, the
   * same in each run. In an order by duration, files that wait for the same timeout run together and leave the cores idle.
   */
  longestFirst(files: readonly string[]): string[] {
    const placeOf = (file: string) => Math.floor(Math.log(this.#of(file) + 0.1) / Math.log(4));
    return files
      .map((file) => ({ file, place: placeOf(file), chance: hash('md5', file) }))
      .toSorted(
        (entry, other) => other.place - entry.place || (entry.chance < other.chance ? -1 : 1),
      )
      .map(({ file }) => file);
  }

  /** On this machine, in seconds. */
  estimate(files: readonly string[], workers: number): number {
    const sum = files.reduce((seconds, file) => seconds + this.#of(file), 0);
    const longest = Math.max(...files.map((file) => this.#of(file)), 0);
    return Math.max(sum / workers, longest) * this.#slowness;
  }

  /** Writes the measured durations, and removes files that no longer exist. */
  record(measured: ReadonlyMap<string, number>, existing: readonly string[]): void {
    const entries = existing.toSorted().flatMap((file) => {
      const here = measured.get(file);
      const seconds = here === undefined ? this.#seconds[file] : here / this.#slowness;
      return seconds === undefined ? [] : [[file, Math.round(seconds * 10) / 10] as const];
    });
    writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`);
  }

  #of(file: string): number {
    return this.#seconds[file] ?? UNKNOWN_SECONDS;
  }
}
