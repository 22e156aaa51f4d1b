import { zlib } from '../../../platform/zlib.ts';
import { LIST_BITS } from './reference.ts';

/** The bits of one list, stored as they are sent: compressed, 16 KiB usually take a few hundred bytes. */
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
      this.#packed = pack(zlib().inflateSync(this.#packed), this.#added);
      this.#added = [];
    }
    return this.#packed;
  }
}

function pack(bytes: Buffer, set: readonly number[]): Buffer {
  for (const bit of set) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7));
  const { constants, deflateSync } = zlib();
  // Nearly all redundancy is runs of the same byte, and searching for only those is ten times as fast.
  return deflateSync(bytes, { strategy: constants.Z_RLE });
}
