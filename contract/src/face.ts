const TINTS = 8;

/** Returns one or two letters for a name, or for an address. */
export function initialsOf(name: string): string {
  const [local = ''] = name.split('@', 1);
  const words = local.split(/[\s._-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const [first = '', ...others] = words;
  const letters = [first, others.at(-1) ?? ''].map((word) => firstLetterOf(word));
  return letters.join('').toLocaleUpperCase() || '?';
}

/** A letter can consist of several code points. */
function firstLetterOf(word: string): string {
  const [letter] = new Intl.Segmenter().segment(word);
  return letter?.segment ?? '';
}

/** Returns the same tint for the same ID, on each screen (FNV-1a). */
export function tintOf(id: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const character of id) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93) >>> 0;
  }
  return hash % TINTS;
}
