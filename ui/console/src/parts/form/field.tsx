import { type ReactNode, useId, useState } from 'react';
import type { FieldFacts } from '../../api/field-facts.ts';
import type { FieldErrorText } from '../../texts/field-errors.ts';
import { useTexts, useWords } from '../../texts/texts.tsx';
import { hasCards, isGroup } from './choices.tsx';
import { DefaultNote } from './default-note.tsx';
import { Input } from './input.tsx';
import { isSwitch } from './values.ts';

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
  const hint = facts.hint ?? hintOf(facts);
  const notes = [hint !== undefined && `${id}-hint`, errors !== undefined && `${id}-error`];
  const describedBy = notes.filter(Boolean).join(' ') || undefined;
  const label = (
    <>
      <span>{labelOf(facts)}</span>
      {!facts.required && !isOfChange && !hasValue(facts) && (
        <span className="muted"> {say('optional')}</span>
      )}
    </>
  );
  return (
    <Frame facts={facts} value={value} label={label} id={id} describedBy={describedBy}>
      <Input
        key={String(isReset)}
        facts={facts}
        value={isReset ? (facts.byDefault ?? undefined) : value}
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

/** Whether the control has a value from the start. */
function hasValue(facts: FieldFacts): boolean {
  return isSwitch(facts) || facts.kind === 'days' || hasCards(facts, undefined);
}

export function Errors({ errors }: { readonly errors: readonly FieldErrorText[] }) {
  return errors.map(({ text, path }) => (
    <p key={`${text} ${path ?? ''}`}>
      {text}
      {path !== undefined && (
        <>
          {' '}
          <bdi className="mono">{path}</bdi>
        </>
      )}
    </p>
  ));
}

interface FrameProps {
  readonly facts: FieldFacts;
  readonly value: unknown;
  readonly label: ReactNode;
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly children: ReactNode;
}

/** A group of controls has a common name. The label of a switch is next to it. */
function Frame({ facts, value, label, id, describedBy, children }: FrameProps) {
  if (isGroup(facts, value)) {
    return (
      <fieldset className="field" aria-describedby={describedBy}>
        <legend>{label}</legend>
        {children}
      </fieldset>
    );
  }
  return (
    <div className={isSwitch(facts) ? 'field has-switch' : 'field'}>
      <label id={`${id}-label`} htmlFor={id}>
        {label}
      </label>
      {children}
    </div>
  );
}
