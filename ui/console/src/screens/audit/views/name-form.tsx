import { useId, useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { type Flaw, MOST_NAME, MOST_VIEWS, nameOf } from './views.ts';

interface Props {
  readonly label: string;
  readonly name?: string;
  /** Why a name cannot be used. */
  readonly flawOf: (name: string) => Flaw | undefined;
  /** @returns whether the name was stored */
  readonly onName: (name: string) => boolean;
  /** Absent if there is nothing to return to. */
  readonly onCancel?: () => void;
}

/** Asks for the name of a view. */
export function NameForm({ label, name = '', flawOf, onName, onCancel }: Props) {
  const { say } = useTexts();
  const id = useId();
  const [text, setText] = useState(name);
  const [flaw, setFlaw] = useState<Flaw | 'refused'>();
  const send = () => {
    const chosen = nameOf(text);
    const found = flawOf(chosen) ?? (onName(chosen) ? undefined : 'refused');
    setFlaw(found);
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label className="field">
        <strong>{label}</strong>
        <input
          className="input"
          dir="auto"
          value={text}
          maxLength={MOST_NAME}
          autoComplete="off"
          aria-invalid={flaw !== undefined || undefined}
          aria-describedby={flaw && id}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {flaw && (
        <p id={id} className="error" role="alert">
          {say(`flaw.${flaw}`, { most: flaw === 'full' ? MOST_VIEWS : MOST_NAME })}
        </p>
      )}
      <div className="actions">
        {onCancel && <Button onClick={onCancel}>{say('cancel')}</Button>}
        <Button type="submit" kind="solid">
          {say('save')}
        </Button>
      </div>
    </form>
  );
}
