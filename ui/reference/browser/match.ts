/** An entry of the search: an operation or an event type. */
export type SearchEntry = readonly [url: string, title: string, method: string, path: string];

const MOST = 12;
const LAST = 1000;

/** Returns the entries that contain every word, those whose title starts with the first word first. */
export function match(entries: readonly SearchEntry[], query: string): readonly SearchEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const [first] = words;
  if (first === undefined) return [];
  return entries
    .filter((entry) => {
      const text = entry.join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((entry, other) => rankOf(entry, first) - rankOf(other, first))
    .slice(0, MOST);
}

/** Operations are before events. */
function rankOf([, title, method]: SearchEntry, word: string): number {
  const at = ` ${title.toLowerCase()}`.indexOf(` ${word}`);
  return (at < 0 ? LAST : at) + (method === 'EVENT' ? 2 * LAST : 0);
}
