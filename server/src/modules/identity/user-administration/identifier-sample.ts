const LETTERS = 3;
/** More letters of a word make the index work more, and find hardly less. */
const SHORT = 4;
/** A number with so many digits is rare enough without the characters around it. */
const LONG_NUMBER = 5;
const LONGEST = 8;
const WORD = /[\p{L}\p{N}]+/gu;
const NUMBER = /^\p{N}+$/u;
/** If at most this share has a piece, reading their rows is faster than looking up a second piece. */
const FEW = 0.001;
/** A second piece that a greater share has is not worth looking up. */
const MANY = 0.1;

/** Identifiers that stand for all of a large tenant: they show how frequent a part of an identifier is. */
export class IdentifierSample {
  readonly size: number;
  readonly #identifiers: readonly string[];
  /** How many identifiers contain each sequence of three letters. */
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

  /** The estimated share of the identifiers that contain the part. */
  shareWith(part: string): number {
    const matches = this.#identifiers.filter((one) => one.includes(part)).length;
    return matches / Math.max(1, this.size);
  }

  /**
   * The pieces of a part to look it up by: a few letters of its rarest word, or a number. A second piece, of another
   * word, if many identifiers have the first one and the second one would exclude most of them.
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
    // Half a character would match nothing.
    if (!rare.isWellFormed()) return [part];
    const many = MANY * Math.max(1, this.size);
    if (!second || second.few > many || this.shareWith(rare) <= FEW) return [rare];
    const also = this.#pieceOf(part, second.word);
    return also.isWellFormed() ? [rare, also] : [rare];
  }

  /** How many have the rarest letters of the word, or a number with the characters around it; undefined if that is too short. */
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
