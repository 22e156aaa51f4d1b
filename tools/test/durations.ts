// How long each test file takes on the bench's reference machine, as `npm test -- --record` wrote it: the longest begin
// first, and a run tells how long it will take.

import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../../tests/durations.json', import.meta.url);
/** Of a file that was not recorded. */
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

  longestFirst(files: readonly string[]): string[] {
    return files.toSorted((one, other) => this.#of(other) - this.#of(one));
  }

  /** On this machine, in seconds. */
  estimate(files: readonly string[], workers: number): number {
    const sum = files.reduce((seconds, file) => seconds + this.#of(file), 0);
    const longest = Math.max(...files.map((file) => this.#of(file)), 0);
    return Math.max(sum / workers, longest) * this.#slowness;
  }

  /** Writes what was measured, and forgets files that are gone. */
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
