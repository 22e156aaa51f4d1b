import { constants, deflateSync, inflateSync } from 'node:zlib';
import { LIST_BITS } from './reference.ts';

/** Runs of the same byte are nearly all that there is to find, and looking for nothing else is ten times as fast. */
const PACKING = { strategy: constants.Z_RLE };

/** The bits of one list, kept as they are sent: packed, 16 KiB come to a few hundred bytes mostly. */
export class BitList {
  #packed: Buffer;
  /** Set since it was packed. */
  #added: number[] = [];

  /** @param set the bits that are set */
  constructor(set: readonly number[]) {
    this.#packed = pack(Buffer.alloc(LIST_BITS / 8), set);
  }

  add(bits: readonly number[]): void {
    for (const bit of bits) this.#added.push(bit);
  }

  /** In the DEFLATE form with the zlib header, bit 0 the lowest of the first byte (draft-ietf-oauth-status-list §4). */
  get packed(): Buffer {
    if (this.#added.length > 0) {
      this.#packed = pack(inflateSync(this.#packed), this.#added);
      this.#added = [];
    }
    return this.#packed;
  }
}

function pack(bytes: Buffer, set: readonly number[]): Buffer {
  for (const bit of set) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7));
  return deflateSync(bytes, PACKING);
}
