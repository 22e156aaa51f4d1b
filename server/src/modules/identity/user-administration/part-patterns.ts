// The patterns by which the trigram index finds a part of a text.

/** The index contains sequences of three letters or digits; before a word two spaces count as such, after it one. */
const INDEXED = 3;
const LETTERS_AND_DIGITS = Array.from('abcdefghijklmnopqrstuvwxyz0123456789');
/** The other printable ASCII characters, which separate words in names and identifiers. */
const SEPARATORS = Array.from(' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');
/** Those before most words: many users have a word that begins with a character, and each pattern reads them. */
const FREQUENT = Array.from(' .@-+');

const IN_WORD = /[\p{L}\p{N}]/u;

/** A pattern for LIKE that any text with the part matches. */
export function patternOf(part: string): string {
  return `%${escaped(part)}%`;
}

/**
 * Patterns of which any text with the part matches one: the part itself, or a part of one or two characters with each
 * ASCII neighbor that it can have. Of one character, the index has only the beginnings of words.
 */
export function patternsOf(part: string): readonly string[] {
  const characters = Array.from(part);
  const startsWord = IN_WORD.test(characters[0] ?? '');
  const endsWord = IN_WORD.test(characters.at(-1) ?? '');
  // The index has nothing of separators alone.
  if (characters.length >= INDEXED || (!startsWord && !endsWord)) return [patternOf(part)];
  const middle = escaped(part);
  const neighbors =
    characters.length === 1 ? FREQUENT : [...LETTERS_AND_DIGITS, ...SEPARATORS].map(escaped);
  const before = [`${middle}%`, ...neighbors.map((neighbor) => `%${neighbor}${middle}%`)];
  if (characters.length === 1) return before;
  const after = [`%${middle}`, ...neighbors.map((neighbor) => `%${middle}${neighbor}%`)];
  return [...(startsWord ? before : []), ...(endsWord ? after : [])];
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
