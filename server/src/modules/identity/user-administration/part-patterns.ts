// The patterns and characters by which an index finds a part of a text.

/** A trigram of the index, which consists of ASCII letters and digits, and the starts and ends of words. */
const TRIGRAM = /[a-z0-9]{3}|[^a-z0-9][a-z0-9]{1,2}[^a-z0-9]/;

/** A pattern for LIKE that any text with the part matches. */
export function patternOf(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/**
 * What an index looks up for a part: a pattern, or for a part without a trigram its character or all pairs of
 * neighboring characters (`kw_grams`), which any text with the part has.
 */
export function lookedUpFor(part: string): readonly string[] {
  if (TRIGRAM.test(part)) return [patternOf(part)];
  const characters = Array.from(part);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
