/** A body of at most `max` bytes, copied into one buffer: memory use does not depend on the chunks. */
export class BoundedBody {
  readonly #maxBytes: number;
  #buffer = Buffer.alloc(0);
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Appends as much as there is space for. @returns the number of bytes that did not fit */
  append(chunk: Buffer): number {
    const taken = Math.min(chunk.length, this.#maxBytes - this.#length);
    const needed = this.#length + taken;
    if (needed > this.#buffer.length) {
      const larger = Buffer.alloc(Math.min(this.#maxBytes, Math.max(needed, 2 * this.#length)));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#length, 0, taken);
    this.#length = needed;
    return chunk.length - taken;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
