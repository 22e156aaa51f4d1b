import type { Text } from '@keywright/sdk';
import type { Search } from '../../url/search.ts';
import { groupOf, TEXT_GROUPS } from './screens.ts';

export const TEXT_GROUPS_AND_ALL = ['all', ...TEXT_GROUPS] as const;
export const STATES = ['any', 'own', 'default', 'fixed'] as const;
type State = (typeof STATES)[number];

export function stateIn(search: Search): State {
  return STATES.find((state) => state === search['state']) ?? 'any';
}

function stateOf({ text, is_fixed: isFixed }: Text): State {
  if (isFixed) return 'fixed';
  return text === null ? 'default' : 'own';
}

/** Returns the chosen screen. A search without one covers all of them. */
export function groupIn({ group, words = '' }: Search): (typeof TEXT_GROUPS_AND_ALL)[number] {
  const chosen = TEXT_GROUPS_AND_ALL.find((name) => name === group);
  return chosen ?? (words.trim() === '' ? TEXT_GROUPS[0] : 'all');
}

/** Returns a text as people read it, without the tags that it contains. */
export function withoutTags(text: string, { tags }: Pick<Text, 'tags'>): string {
  return tags.reduce(
    (read, tag) => read.replaceAll(`<${tag}>`, '').replaceAll(`</${tag}>`, ''),
    text,
  );
}

/** Returns the texts of a screen, in a state, that contain these words in their key or content. */
export function chosenTexts(texts: readonly Text[], search: Search): readonly Text[] {
  const { words = '' } = search;
  const group = groupIn(search);
  const state = stateIn(search);
  const searchText = words.trim().toLowerCase();
  return texts.filter(
    (entry) =>
      (group === 'all' || groupOf(entry.key) === group) &&
      (state === 'any' || stateOf(entry) === state) &&
      [entry.key, entry.text ?? entry.default, entry.english].some((text) =>
        withoutTags(text, entry).toLowerCase().includes(searchText),
      ),
  );
}
