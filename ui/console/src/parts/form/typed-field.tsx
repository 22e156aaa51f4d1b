import { type ComponentProps, useId } from 'react';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onType: (text: string) => void;
  readonly hint?: string;
  /** The service's error message, in English. */
  readonly error?: string | undefined;
  readonly isLong?: boolean;
  readonly control: Pick<
    ComponentProps<'input'>,
    'lang' | 'dir' | 'maxLength' | 'placeholder' | 'autoComplete' | 'required' | 'spellCheck'
  >;
}

/** A field whose text is used while the user types. */
export function TypedField({ label, value, onType, hint, error, isLong, control }: Props) {
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
        <p id={`${id}-error`} className="error" role="alert" lang="en" dir="auto">
          {error}
        </p>
      )}
    </div>
  );
}
