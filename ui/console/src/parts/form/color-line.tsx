import { useRef, useState } from 'react';
import { useTexts, useWords } from '../../texts/texts.tsx';
import { commonOf, type InputProps } from './control.ts';
import { textOfValue } from './values.ts';

const COLOR = /^#[0-9a-fA-F]{6}$/;
/** The picker's color while nothing is set, because it always shows a color. */
const UNSET = '#808080';

/** Shows a color as text next to the browser's picker. */
export function ColorLine(props: InputProps) {
  const { facts, value } = props;
  const { say } = useTexts();
  const { labelOf } = useWords();
  const line = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState(textOfValue(facts, value));
  return (
    <span className="color">
      <input
        {...commonOf(props)}
        ref={line}
        className="input mono"
        dir="ltr"
        defaultValue={shown}
        placeholder={say('usual')}
        pattern={facts.pattern}
        autoComplete="off"
        spellCheck={false}
        onInput={(event) => setShown(event.currentTarget.value.trim())}
      />
      <input
        type="color"
        className={COLOR.test(shown) ? undefined : 'unset'}
        aria-label={labelOf(facts)}
        value={COLOR.test(shown) ? shown.toLowerCase() : UNSET}
        onInput={(event) => {
          // Updates the line before the form receives the event and reads it.
          if (line.current) line.current.value = event.currentTarget.value;
          setShown(event.currentTarget.value);
        }}
      />
    </span>
  );
}
