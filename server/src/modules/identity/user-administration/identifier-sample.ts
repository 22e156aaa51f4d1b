/** Identifiers that stand for all of a large tenant: what is rare among them, and how much there is of something. */
export interface Sample {
  readonly size: number;
  /** Which share of the identifiers has the part in it, as far as the sample tells. */
  shareWith(part: string): number;
  /**
   * Some of the part to look it up by: of the word that fewest have a few letters, or a number. A second one, of
   * another word, where many have the first and it would keep most of them out.
   */
  piecesOf(part: string): readonly [rare: string, also?: string];
}

const LETTERS = 3;
/** More letters of a word make the index work more, and find hardly less. */
const SHORT = 4;
/** So many digits are rare enough without what is around them. */
const LONG_NUMBER = 5;
const LONGEST = 8;
const WORD = /[\p{L}\p{N}]+/gu;
const NUMBER = /^\p{N}+$/u;
/** If at most this many have a piece, reading their rows is faster than looking up a second piece. */
const FEW = 0.001;
/** A second piece that more have is not worth looking up. */
const MANY = 0.1;

export function createSample(identifiers: readonly string[]): Sample {
  const size = Math.max(1, identifiers.length);
  const counts = new Map<string, number>();
  for (const identifier of identifiers) {
    for (const three of new Set(threesOf(identifier))) {
      counts.set(three, (counts.get(three) ?? 0) + 1);
    }
  }
  const { pieceOf, rarityIn } = createPieces((three) => counts.get(three) ?? 0);
  const shareWith = (part: string) => identifiers.filter((one) => one.includes(part)).length / size;

  return {
    size: identifiers.length,
    shareWith,
    piecesOf(part) {
      const [first, second] = [...part.matchAll(WORD)]
        .flatMap((word) => {
          const few = rarityIn(part, word);
          return few === undefined ? [] : [{ word, few }];
        })
        .toSorted((one, other) => one.few - other.few || other.word[0].length - one.word[0].length);
      if (!first) return [part];
      const rare = pieceOf(part, first.word);
      // Half a character would match nothing.
      if (!rare.isWellFormed()) return [part];
      if (!second || second.few > MANY * size || shareWith(rare) <= FEW) return [rare];
      const also = pieceOf(part, second.word);
      return also.isWellFormed() ? [rare, also] : [rare];
    },
  };
}

/** What words of a part are looked up by, as far as it is known how many have three letters. */
function createPieces(rarity: (three: string) => number) {
  const rarityOf = (word: string) => Math.min(...threesOf(word).map(rarity));

  /** What few have of the word, or of a number with what is around it; nothing where that is too short. */
  function rarityIn(part: string, word: RegExpExecArray): number | undefined {
    if (word[0].length >= LETTERS) return rarityOf(word[0]);
    const piece = pieceOf(part, word);
    return NUMBER.test(word[0]) && piece.length === word[0].length + 2
      ? rarityOf(piece)
      : undefined;
  }

  function pieceOf(part: string, { 0: word, index }: RegExpExecArray): string {
    if (NUMBER.test(word)) {
      return word.length >= LONG_NUMBER
        ? word.slice(0, LONGEST)
        : part.slice(Math.max(0, index - 1), index + word.length + 1);
    }
    const at = threesOf(word).map(rarity).indexOf(rarityOf(word));
    const from = Math.max(0, Math.min(at, word.length - SHORT));
    return word.slice(from, from + SHORT);
  }

  return { pieceOf, rarityIn };
}

function threesOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - LETTERS + 1) }, (_, index) =>
    text.slice(index, index + LETTERS),
  );
}
