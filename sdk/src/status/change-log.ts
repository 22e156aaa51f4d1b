import type { Change } from './status-change.ts';

/** Limits on the stored bits and changes. A list older than all stored changes is fetched again. */
const MAX_INDICES = 65_536;
const MAX_CHANGES = 1024;

/** The changes received from the stream, without gaps. They update a slightly older list. */
export class ChangeLog {
  #from: number;
  #version: number;
  #indices = 0;
  #changes: Change[] = [];

  constructor(version: number) {
    this.#from = version;
    this.#version = version;
  }

  /** The latest known version. */
  get version(): number {
    return this.#version;
  }

  /** Appends a change that starts at or before the end of the log. */
  append(change: Change): void {
    if (change.version <= this.#version) return;
    this.#version = change.version;
    this.#changes.push(change);
    this.#indices += sizeOf(change);
    while (this.#indices > MAX_INDICES || this.#changes.length > MAX_CHANGES) {
      const oldest = this.#changes.shift();
      if (oldest === undefined) break;
      this.#indices -= sizeOf(oldest);
      this.#from = oldest.version;
    }
  }

  /** The changes after a version; undefined if the log starts later. */
  since(version: number): readonly Change[] | undefined {
    if (version < this.#from) return undefined;
    return this.#changes.filter((change) => change.version > version);
  }
}

function sizeOf({ revoked }: Change): number {
  let size = 0;
  for (const indices of revoked.values()) size += indices.length;
  return size;
}
