import { type ClipboardEvent, type MouseEvent, useRef, useState } from 'react';
import { useTexts, useWords } from '../../texts/texts.tsx';
import { Button } from '../button.tsx';
import { commonOf, type InputProps } from './control.ts';
import { directionOf } from './direction.ts';
import { wordsOf } from './values.ts';

interface Row {
  readonly key: number;
  readonly text: string;
}

/** A list with a row for each entry. A pasted list becomes several rows. */
export function Rows(props: InputProps) {
  const { facts, value, id } = props;
  const { say } = useTexts();
  const { labelOf } = useWords();
  const { rows, add, remove, paste } = useRows(Array.isArray(value) ? value.map(String) : []);
  const label = labelOf(facts);
  return (
    <div className="rows">
      {rows.map(({ key, text }, index) => (
        <span key={key} className="row">
          <input
            {...commonOf(props)}
            id={index === 0 ? id : `${id}-${key}`}
            aria-label={index === 0 ? undefined : `${label} ${index + 1}`}
            required={facts.required === true && index === 0}
            className="input"
            dir={directionOf(facts)}
            defaultValue={text}
            maxLength={facts.maxLength}
            autoComplete="off"
            spellCheck={false}
            // A row that the user added is the next to fill in.
            autoFocus={key > 0 && text === '' && index === rows.length - 1}
            onPaste={(event) => paste(event, key)}
          />
          {rows.length > 1 && (
            <Button
              isSmall
              kind="ghost"
              icon="x"
              label={say('removeItem', { name: text || `${label} ${index + 1}` })}
              onClick={(event) => remove(event, key)}
            />
          )}
        </span>
      ))}
      <span>
        <Button isSmall icon="plus" aria-describedby={`${id}-label`} onClick={() => add([''])}>
          {say('addItem')}
        </Button>
      </span>
    </div>
  );
}

function useRows(initial: readonly string[]) {
  const next = useRef(initial.length);
  const [rows, setRows] = useState<readonly Row[]>(
    (initial.length > 0 ? initial : ['']).map((text, index) => ({ key: -1 - index, text })),
  );
  const rowsOf = (texts: readonly string[]) =>
    texts.map((text) => ({ key: (next.current += 1), text }));
  return {
    rows,
    add: (texts: readonly string[]) => setRows((before) => [...before, ...rowsOf(texts)]),
    remove: (event: MouseEvent<HTMLElement>, key: number) => {
      const { form } = event.currentTarget as HTMLButtonElement;
      setRows((before) => before.filter((row) => row.key !== key));
      // The form reads its fields on input events.
      queueMicrotask(() => form?.dispatchEvent(new Event('input', { bubbles: true })));
    },
    paste: (event: ClipboardEvent<HTMLInputElement>, key: number) => {
      const texts = wordsOf(event.clipboardData.getData('text'));
      if (texts.length < 2 || event.currentTarget.value !== '') return;
      event.preventDefault();
      setRows((before) => [...before.filter((row) => row.key !== key), ...rowsOf(texts)]);
    },
  };
}
