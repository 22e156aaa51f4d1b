import { useId } from 'react';

interface Props<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly (readonly [value: Value, word: string])[];
  readonly onChoose: (value: Value) => void;
  /** Shows each choice in the language that its value names. */
  readonly isLanguage?: boolean;
}

/** A choice that takes effect immediately. */
export function Select<Value extends string>(props: Props<Value>) {
  const { label, value, choices, onChoose, isLanguage = false } = props;
  const id = useId();
  return (
    <label htmlFor={id}>
      {label}
      <select
        id={id}
        className="select"
        value={value}
        onChange={({ target }) => {
          const chosen = choices.find(([choice]) => choice === target.value);
          if (chosen) onChoose(chosen[0]);
        }}
      >
        {choices.map(([choice, word]) => (
          <option key={choice} value={choice} lang={isLanguage ? choice : undefined}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}
