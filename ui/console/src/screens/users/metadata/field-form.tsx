import type { User } from '@keywright/sdk';
import { useId } from 'react';
import { Button } from '../../../parts/button.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { ConflictNote, FlawNote, Refused } from './notes.tsx';
import { type Flaw, MOST_BYTES } from './rules.ts';
import { useField } from './use-field.ts';

interface Props {
  readonly user: User;
  /** If absent, a field is added. */
  readonly name?: string;
  readonly onClose: () => void;
}

/** The value of a field: a text, or any JSON. */
export function FieldForm({ user, name, onClose }: Props) {
  const { say } = useTexts();
  const { saving, base, fieldName, typed, flaw, isTaken, send } = useField(user, name, onClose);
  const { conflict } = saving;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isTaken) send(base);
      }}
    >
      {name === undefined && (
        <NameField name={typed.typedName} isTaken={isTaken} onType={typed.setTypedName} />
      )}
      <label className="field">
        <strong>{say('kind')}</strong>
        <select
          className="select"
          value={typed.isText ? 'text' : 'json'}
          onChange={(event) => typed.setIsText(event.target.value === 'text')}
        >
          <option value="text">{say('kindText')}</option>
          <option value="json">{say('kindJson')}</option>
        </select>
      </label>
      <ValueField typed={typed} flaw={flaw} />
      <Refused problem={saving.problem} />
      {conflict && (
        <ConflictNote
          names={[fieldName]}
          now={conflict[fieldName]}
          onOverwrite={() => send(conflict)}
        />
      )}
      <div className="actions">
        <Button onClick={onClose}>{say('cancel')}</Button>
        <Button type="submit" kind="solid" disabled={saving.isPending}>
          {say('save')}
        </Button>
      </div>
    </form>
  );
}

interface ValueProps {
  readonly typed: ReturnType<typeof useField>['typed'];
  readonly flaw: Flaw | undefined;
}

function ValueField({ typed: { isText, text, setText }, flaw }: ValueProps) {
  const { say } = useTexts();
  const id = useId();
  return (
    <>
      <label className="field">
        <strong>{say('value')}</strong>
        <textarea
          className={isText ? 'input' : 'input mono'}
          dir={isText ? 'auto' : 'ltr'}
          spellCheck={false}
          maxLength={4 * MOST_BYTES}
          aria-invalid={flaw !== undefined || undefined}
          aria-describedby={flaw && id}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {flaw && <FlawNote flaw={flaw} id={id} />}
    </>
  );
}

interface NameProps {
  readonly name: string;
  readonly isTaken: boolean;
  readonly onType: (name: string) => void;
}

function NameField({ name, isTaken, onType }: NameProps) {
  const { say } = useTexts();
  const id = useId();
  return (
    <>
      <label className="field">
        <strong>{say('name')}</strong>
        <input
          className="input mono"
          dir="auto"
          value={name}
          required
          maxLength={256}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={isTaken || undefined}
          aria-describedby={isTaken ? id : undefined}
          onChange={(event) => onType(event.target.value)}
        />
      </label>
      {isTaken && (
        <p id={id} className="error" role="alert">
          {say('fault.taken')}
        </p>
      )}
    </>
  );
}
