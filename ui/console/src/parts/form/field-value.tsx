import type { FieldFacts } from '../../api/field-facts.ts';
import { formatDuration } from '../../texts/format.ts';
import { useTexts, useWords } from '../../texts/texts.tsx';
import { Address } from '../address.tsx';
import { Json } from '../json.tsx';
import { Scopes } from '../scopes.tsx';
import { Time } from '../time.tsx';
import { UserLink } from '../user-link.tsx';

interface Props {
  readonly facts: FieldFacts;
  readonly value: unknown;
}

/** Shows the value of a field as a person reads it, where the field is not edited. */
export function FieldValue({ facts, value }: Props) {
  const { say, locale } = useTexts();
  const { labelOf, choiceOf } = useWords();
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no');
  if (typeof value === 'number') {
    return facts.kind === 'duration' ? formatDuration(locale, value) : String(value);
  }
  if (typeof value === 'string') {
    if (facts.finds === 'users') return <UserLink id={value} />;
    if (facts.kind === 'choice') return choiceOf(facts, value);
    if (facts.kind === 'date') return <Time at={value} isWhole />;
    return <Address text={value} />;
  }
  const names = namesIn(value);
  if (names) return <Scopes scopes={names.map((entry) => choiceOf(facts, entry))} />;
  return <Json value={value} label={labelOf(facts)} />;
}

/** Returns the entries of a list of texts, or the names of a list of records. */
function namesIn(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const names = value.flatMap((entry: unknown) => {
    const name: unknown = typeof entry === 'string' ? entry : Object(entry).name;
    return typeof name === 'string' ? [name] : [];
  });
  return names.length === value.length ? names : undefined;
}

/** Whether the record has no value for the field. */
export function isUnset(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isUnset);
}
