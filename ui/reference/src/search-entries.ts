import { EVENT_TYPES, EVENTS } from '@keywright/contract/events';
import type { Route } from '@keywright/contract/route';
import { type SearchEntry, wordsOf } from '../browser/match.ts';
import { EVENT_TYPES_URL, type Group, sections } from './groups.ts';
import type { Field } from './schema.tsx';

/** A word that more operations have does not narrow a search. */
const MOST_USES = 40;

/** Returns the index of the search: every operation and event type. */
export function searchEntries(): readonly SearchEntry[] {
  const operations = sections().flatMap(({ url, groups }) =>
    groups.flatMap((group) => group.operations.map(({ route }) => ({ route, group, url }))),
  );
  const words = operations.map(({ route, group }) => furtherWords(route, group));
  const uses = Map.groupBy(words.flat(), (word) => word);
  return [
    ...operations.map(({ route: { id, summary, method, path }, url }, index) => {
      const rare = words[index]?.filter((word) => (uses.get(word)?.length ?? 0) <= MOST_USES) ?? [];
      return [`${url}#${id}`, summary, method, path, rare.join(' ')] as const;
    }),
    ...EVENT_TYPES.map(
      (type) =>
        [`${EVENT_TYPES_URL}#event-${type}`, type, 'EVENT', EVENTS[type].meaning, ''] as const,
    ),
  ];
}

/** The words of an operation that the search result does not show. */
function furtherWords(route: Route, { name, about }: Group): string[] {
  const { id, summary, method, path, description = '', body, query } = route;
  const shown = new Set(wordsOf(`${summary} ${method} ${path}`));
  const fields = [body, query].flatMap((schema) => (schema ? namesIn(schema) : []));
  const all = new Set(wordsOf([id, name, about, description, ...fields].join(' ')));
  return [...all].filter((word) => word.length > 2 && !shown.has(word)).toSorted();
}

/** The names of the fields of a schema, their enumerated values, and what their descriptions mark as code. */
function namesIn({ properties = {} }: Field): string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const values = (field.enum ?? []).map((value) => String(value));
    const code = field.description?.match(/`[^`]+`/g) ?? [];
    return [name, values, code, namesIn(field)].flat();
  });
}
