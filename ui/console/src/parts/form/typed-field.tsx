import { type ComponentProps, useId } from 'react';
import { errorTextOf } from '../../texts/field-errors.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Errors } from './field.tsx';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onType: (text: string) => void;
  readonly hint?: string;
  /** The service's message about the field. */
  readonly error?: string | undefined;
  readonly isLong?: boolean;
  readonly control: Pick<
    ComponentProps<'input'>,
    'lang' | 'dir' | 'maxLength' | 'placeholder' | 'autoComplete' | 'required' | 'spellCheck'
  >;
}

/** A field whose text is used while the user types. */
export function TypedField({ label, value, onType, hint, error, isLong, control }: Props) {
  const { say } = useTexts();
  const id = useId();
  const notes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const common = {
    ...control,
    id,
    className: 'input',
    value,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': notes || undefined,
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {isLong ? (
        <textarea {...common} onChange={({ target }) => onType(target.value)} />
      ) : (
        <input {...common} onChange={({ target }) => onType(target.value)} />
      )}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <div id={`${id}-error`} className="error" role="alert">
          <Errors errors={[errorTextOf(error, say)]} />
        </div>
      )}
    </div>
  );
}
