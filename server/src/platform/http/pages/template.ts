import { randomId } from '../../crypto/ids.ts';
import {
  type FilledPage,
  type FormPolicy,
  type Html,
  type Inline,
  type PageHeaders,
  pageHeaders,
} from './html.ts';

/** A page that is rendered and encoded once: for each request, only the values of its slots are inserted. */
export class PageTemplate<Slot extends string> {
  readonly #slots: readonly Slot[];
  /** The bytes between the slots, and the slots. */
  readonly #pieces: readonly (Buffer | Slot)[];
  readonly #inline: readonly Inline[];
  readonly #headers = new WeakMap<FormPolicy, PageHeaders>();

  /** @param render gets a text to insert for each slot */
  constructor(slots: readonly Slot[], render: (markerOf: (slot: Slot) => string) => Html) {
    // Random, so that no other text of the page can contain one.
    const markers = new Map(slots.map((slot) => [slot, randomId()]));
    const slotsByMarker = new Map([...markers].map(([slot, marker]) => [marker, slot]));
    const { html, inline } = render((slot) => markers.get(slot) ?? '');
    const parts = html.split(new RegExp(`(${[...markers.values()].join('|')})`));
    this.#slots = slots;
    this.#pieces = parts.map((part) => slotsByMarker.get(part) ?? Buffer.from(part));
    this.#inline = inline;
  }

  /** Memory that the page takes, in bytes. */
  get size(): number {
    return this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  insert(values: Readonly<Record<Slot, Html>>): FilledPage {
    const encoded = new Map(this.#slots.map((slot) => [slot, Buffer.from(values[slot].html)]));
    const pieces = this.#pieces.map((piece) =>
      typeof piece === 'string' ? (encoded.get(piece) ?? Buffer.alloc(0)) : piece,
    );
    return { bytes: Buffer.concat(pieces), headersFor: this.#headersFor };
  }

  /** Computed once for each route, whose policy is one object. */
  readonly #headersFor = (policy: FormPolicy): PageHeaders => {
    const headers = this.#headers.get(policy) ?? pageHeaders(policy, this.#inline);
    this.#headers.set(policy, headers);
    return headers;
  };
}
