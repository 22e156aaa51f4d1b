import { type ReactNode, useId, useState } from 'react';
import type { FieldFacts } from '../../api/field-facts.ts';
import type { FieldErrorText } from '../../texts/field-errors.ts';
import { useTexts, useWords } from '../../texts/texts.tsx';
import { DefaultNote } from './default-note.tsx';
import { Input } from './input.tsx';

interface Props {
  readonly facts: FieldFacts;
  readonly value: unknown;
  readonly errors: readonly FieldErrorText[] | undefined;
  /** In a change, no field is required. */
  readonly isOfChange: boolean;
}

/** A field with its label, its hint, and its error. */
export function Field({ facts, value, errors, isOfChange }: Props) {
  const { say } = useTexts();
  const { labelOf, hintOf } = useWords();
  const id = useId();
  const [isReset, setReset] = useState(false);
  const hint = hintOf(facts);
  const notes = [hint !== undefined && `${id}-hint`, errors !== undefined && `${id}-error`];
  const describedBy = notes.filter(Boolean).join(' ') || undefined;
  const label = (
    <>
      <span>{labelOf(facts)}</span>
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
        isInvalid={errors !== undefined}
        describedBy={describedBy}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {isOfChange && facts.byDefault !== undefined && (
        <DefaultNote facts={facts} value={value} isReset={isReset} onReset={() => setReset(true)} />
      )}
      {errors !== undefined && (
        <div id={`${id}-error`} className="error">
          <Errors errors={errors} />
        </div>
      )}
    </Frame>
  );
}

export function Errors({ errors }: { readonly errors: readonly FieldErrorText[] }) {
  return errors.map(({ text, detail }) => (
    <p key={`${text} ${detail ?? ''}`}>
      {text}
      {detail !== undefined && (
        <>
          {' '}
          <bdi lang="en">{detail}</bdi>
        </>
      )}
    </p>
  ));
}

interface FrameProps {
  readonly facts: FieldFacts;
  readonly label: ReactNode;
  readonly id: string;
  readonly describedBy: string | undefined;
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
