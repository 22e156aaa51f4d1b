/** Identifiers that stand for all of a large tenant: what is rare among them, and how much there is of something. */
export interface Sample {
  readonly size: number;
  /** Which share of the identifiers has the part in it, as far as the sample tells. */
  shareWith(part: string): number;
  /** Some of the part to look it up by: a few letters that few have, or a number with what is around it. */
  rareIn(part: string): string;
}

const LETTERS = 3;
/** More letters of a word make the index work more, and find hardly less. */
const SHORT = 4;
const LONGEST = 8;
const WORD = /[\p{L}\p{N}]+/gu;
const NUMBER = /^\p{N}+$/u;

export function createSample(identifiers: readonly string[]): Sample {
  const counts = new Map<string, number>();
  for (const identifier of identifiers) {
    for (const three of new Set(threesOf(identifier))) {
      counts.set(three, (counts.get(three) ?? 0) + 1);
    }
  }
  const rarity = (three: string) => counts.get(three) ?? 0;
  const rarityOf = (word: string) => Math.min(...threesOf(word).map(rarity));
  return {
    size: identifiers.length,
    shareWith: (part) =>
      identifiers.filter((one) => one.includes(part)).length / Math.max(1, identifiers.length),
    rareIn(part) {
      const words = [...part.matchAll(WORD)].filter(({ 0: word }) => word.length >= LETTERS);
      const rarest = words.toSorted(
        ([one], [other]) => rarityOf(one) - rarityOf(other) || other.length - one.length,
      )[0];
      if (!rarest) return part;
      const { 0: word, index } = rarest;
      const at = threesOf(word).map(rarity).indexOf(rarityOf(word));
      const from = Math.max(0, Math.min(at, word.length - SHORT));
      const found = NUMBER.test(word)
        ? part.slice(Math.max(0, index - 1), index + Math.min(word.length + 1, LONGEST))
        : word.slice(from, from + SHORT);
      // Half a character would match nothing.
      return found.isWellFormed() ? found : part;
    },
  };
}

function threesOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - LETTERS + 1) }, (_, index) =>
    text.slice(index, index + LETTERS),
  );
}
