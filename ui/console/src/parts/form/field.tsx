import { type ReactNode, useId, useState } from 'react';
import type { FieldFacts } from '../../api/field-facts.ts';
import { useTexts } from '../../texts/texts.tsx';
import { DefaultNote } from './default-note.tsx';
import { Input } from './input.tsx';

interface Props {
  readonly facts: FieldFacts;
  readonly value: unknown;
  readonly error: string | undefined;
  /** In a change, no field is required. */
  readonly isOfChange: boolean;
}

/** A field with its name, what the contract specifies about it, and its error. */
export function Field({ facts, value, error, isOfChange }: Props) {
  const { name, isNamed, say } = useTexts();
  const id = useId();
  const [isReset, setReset] = useState(false);
  const describedBy = error === undefined ? `${id}-hint` : `${id}-hint ${id}-error`;
  const label = (
    <>
      <span {...(!isNamed(facts.name) && { lang: 'en', dir: 'auto' })}>
        {facts.isEmail ? say('email') : name(facts.name)}
      </span>
      {!facts.required && !isOfChange && <span className="muted"> {say('optional')}</span>}
    </>
  );
  return (
    <Frame facts={facts} label={label} id={id} describedBy={describedBy}>
      <Input
        key={String(isReset)}
        facts={facts}
        value={isReset ? undefined : value}
        id={id}
        isInvalid={error !== undefined}
        describedBy={describedBy}
      />
      <p id={`${id}-hint`} className="hint" lang="en" dir="auto">
        {facts.hint}
      </p>
      {isOfChange && facts.byDefault !== undefined && (
        <DefaultNote facts={facts} value={value} isReset={isReset} onReset={() => setReset(true)} />
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="error" lang="en" dir="auto">
          {error}
        </p>
      )}
    </Frame>
  );
}

interface FrameProps {
  readonly facts: FieldFacts;
  readonly label: ReactNode;
  readonly id: string;
  readonly describedBy: string;
  readonly children: ReactNode;
}

/** A group of checkboxes has a common name. */
function Frame({ facts, label, id, describedBy, children }: FrameProps) {
  if (facts.kind === 'choices' || facts.kind === 'scopes') {
    return (
      <fieldset className="field" aria-describedby={describedBy}>
        <legend>{label}</legend>
        {children}
      </fieldset>
    );
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
    </div>
  );
}
