const LETTERS = 3;
/** Longer pieces of a word cost the index more work, but hardly narrow the result. */
const SHORT = 4;
/** A number with this many digits is rare enough without the characters around it. */
const LONG_NUMBER = 5;
const LONGEST = 8;
const WORD = /[\p{L}\p{N}]+/gu;
const NUMBER = /^\p{N}+$/u;
/** If no larger share of the identifiers contains a piece, reading their rows beats looking up a second piece. */
const FEW = 0.001;
/** A second piece is not worth looking up if a larger share of the identifiers contains it. */
const MANY = 0.1;

/** A sample of the identifiers of a large tenant, from which the frequency of a part is estimated. */
export class IdentifierSample {
  readonly size: number;
  readonly #identifiers: readonly string[];
  /** The number of identifiers that contain each sequence of three letters. */
  readonly #counts = new Map<string, number>();

  constructor(identifiers: readonly string[]) {
    this.size = identifiers.length;
    this.#identifiers = identifiers;
    for (const identifier of identifiers) {
      for (const three of new Set(threesOf(identifier))) {
        this.#counts.set(three, (this.#counts.get(three) ?? 0) + 1);
      }
    }
  }

  /** Estimates the share of identifiers that contain the part. */
  shareWith(part: string): number {
    const matches = this.#identifiers.filter((one) => one.includes(part)).length;
    return matches / Math.max(1, this.size);
  }

  /**
   * Returns the pieces for looking up a part: a few letters of its rarest word, or a number. There is a second piece,
   * from another word, if many identifiers contain the first one and the second would exclude most of them.
   */
  piecesOf(part: string): readonly [rare: string, also?: string] {
    const [first, second] = [...part.matchAll(WORD)]
      .flatMap((word) => {
        const few = this.#rarityIn(part, word);
        return few === undefined ? [] : [{ word, few }];
      })
      .toSorted((one, other) => one.few - other.few || other.word[0].length - one.word[0].length);
    if (!first) return [part];
    const rare = this.#pieceOf(part, first.word);
    // A piece that ends in half a character would match nothing.
    if (!rare.isWellFormed()) return [part];
    const many = MANY * Math.max(1, this.size);
    if (!second || second.few > many || this.shareWith(rare) <= FEW) return [rare];
    const also = this.#pieceOf(part, second.word);
    return also.isWellFormed() ? [rare, also] : [rare];
  }

  /**
   * The number of identifiers that contain the rarest letters of the word, or a short number with the characters around
   * it; undefined if that is too short.
   */
  #rarityIn(part: string, word: RegExpExecArray): number | undefined {
    if (word[0].length >= LETTERS) return this.#rarityOf(word[0]);
    const piece = this.#pieceOf(part, word);
    return NUMBER.test(word[0]) && piece.length === word[0].length + 2
      ? this.#rarityOf(piece)
      : undefined;
  }

  #pieceOf(part: string, { 0: word, index }: RegExpExecArray): string {
    if (NUMBER.test(word)) {
      return word.length >= LONG_NUMBER
        ? word.slice(0, LONGEST)
        : part.slice(Math.max(0, index - 1), index + word.length + 1);
    }
    const rarest = this.#countsOf(word).indexOf(this.#rarityOf(word));
    const from = Math.max(0, Math.min(rarest, word.length - SHORT));
    return word.slice(from, from + SHORT);
  }

  #rarityOf(word: string): number {
    return Math.min(...this.#countsOf(word));
  }

  #countsOf(word: string): number[] {
    return threesOf(word).map((three) => this.#counts.get(three) ?? 0);
  }
}

function threesOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - LETTERS + 1) }, (_, index) =>
    text.slice(index, index + LETTERS),
  );
}
