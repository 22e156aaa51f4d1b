import type { FieldFacts } from '../../api/field-facts.ts';
import { formatDuration } from '../../texts/format.ts';
import type { Texts } from '../../texts/texts.tsx';
import { directionOf } from './direction.ts';

/** Returns what an empty field shows: the value that applies then, or an example. */
export function placeholderOf(
  facts: FieldFacts,
  say: Texts['say'],
  locale: string,
): string | undefined {
  const { kind, byDefault, example } = facts;
  if (typeof byDefault === 'number') {
    const value = kind === 'duration' ? formatDuration(locale, byDefault) : String(byDefault);
    return say('defaultIs', { value });
  }
  if (typeof byDefault === 'string') return say('defaultIs', { value: byDefault });
  // An example in words would be English in every language. A hint can contain one.
  return example === undefined || directionOf(facts) !== 'ltr' ? undefined : String(example);
}
