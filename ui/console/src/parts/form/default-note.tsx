import { useEffect, useRef } from 'react';
import type { FieldFacts } from '../../api/field-facts.ts';
import { formatDuration, isolated } from '../../texts/format.ts';
import { useTexts, useWords } from '../../texts/texts.tsx';
import { Button } from '../button.tsx';
import { State } from '../state.tsx';
import { isSameValue, resetMark } from './values.ts';

interface Props {
  readonly facts: FieldFacts;
  /** What is saved. */
  readonly value: unknown;
  /** The field was emptied: saving it sends null. */
  readonly isReset: boolean;
  readonly onReset: () => void;
}

/** If another value than the default is saved, shows the default, and a way to restore it. */
export function DefaultNote({ facts, value, isReset, onReset }: Props) {
  const { say } = useTexts();
  const { labelOf } = useWords();
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The form reads its fields on input events.
    if (isReset) note.current?.dispatchEvent(new Event('input', { bubbles: true }));
  }, [isReset]);
  const isCustom = value !== undefined && !isSameValue(facts, value, facts.byDefault);
  if (!isCustom) return null;
  return (
    <div ref={note} className="actions hint" role="group" aria-label={labelOf(facts)}>
      {!isReset && (
        <>
          <State word={say('notDefault')} tone="brass" />
          <DefaultValue facts={facts} />
          <Button isSmall onClick={onReset}>
            {say('toDefault')}
          </Button>
        </>
      )}
      {isReset && (
        <span role="status">
          {say('toDefaultUnsaved')}
          <input type="hidden" name={resetMark(facts.name)} />
        </span>
      )}
    </div>
  );
}

function DefaultValue({ facts }: Pick<Props, 'facts'>) {
  const { say, number, locale } = useTexts();
  const { choiceOf } = useWords();
  const { kind, byDefault } = facts;
  const wordOf = (value: unknown): string => {
    if (typeof value === 'number') {
      return kind === 'duration' ? formatDuration(locale, value) : number(value);
    }
    if (typeof value === 'boolean') return say(value ? 'yes' : 'no');
    return kind === 'choice' || kind === 'choices' ? choiceOf(facts, String(value)) : String(value);
  };
  const values = Array.isArray(byDefault) ? byDefault : byDefault === null ? [] : [byDefault];
  const words = values.map((value) =>
    Object(value) === value ? JSON.stringify(value) : wordOf(value),
  );
  return (
    <span>
      {say('defaultIs', { value: isolated(words.length === 0 ? say('none') : words.join(', ')) })}
    </span>
  );
}
