// Filters that are typed into the search field: `role:engineer`.

import type { Filter } from './column.ts';

/** A value of a filter, and its name. */
export interface Option {
  readonly value: string;
  readonly word: string;
}

export interface Typed {
  readonly filter: Filter;
  /** As it was typed. */
  readonly text: string;
}

/** Ignores case, spaces and punctuation, so that `sign-in` is also found as `signin`. */
const plain = (text: string) => text.toLocaleLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');

/** Returns the property at the start of a text. @param labelOf the property's name in the user's language */
export function typedIn(
  text: string,
  filters: readonly Filter[],
  labelOf: (filter: Filter) => string,
): Typed | undefined {
  const [, property = '', rest = ''] = /^([^:]+):(.*)$/su.exec(text.trim()) ?? [];
  const name = plain(property);
  if (name === '') return undefined;
  const filter = filters.find((each) =>
    [each.name, labelOf(each)].some((as) => plain(as) === name),
  );
  return filter && { filter, text: rest.trim() };
}

/** Returns the value that a text names: exactly, or as the start of only one name. */
export function valueOf(text: string, options: readonly Option[]): string | undefined {
  const name = plain(text);
  if (name === '') return undefined;
  const wordsOf = ({ value, word }: Option) => [plain(value), plain(word)];
  const exact = options.find((option) => wordsOf(option).includes(name));
  if (exact) return exact.value;
  const [first, ...others] = options.filter((option) =>
    wordsOf(option).some((word) => word.startsWith(name)),
  );
  return others.length === 0 ? first?.value : undefined;
}
