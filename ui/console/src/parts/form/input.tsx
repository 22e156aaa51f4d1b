import { useTexts, useWords } from '../../texts/texts.tsx';
import { ColorLine } from './color-line.tsx';
import { commonOf, type InputProps } from './control.ts';
import { ScopePicker } from './scope-picker.tsx';
import { textOfValue } from './values.ts';

/** The native control of a kind of field, with the limits of the contract. */
export function Input(props: InputProps) {
  switch (props.facts.kind) {
    case 'choices':
      return <Checks {...props} />;
    case 'choice':
    case 'boolean':
      return <Choice {...props} />;
    case 'scopes':
      return <ScopePicker {...props} />;
    case 'lines':
    case 'list':
    case 'json':
      return <Lines {...props} />;
    case 'color':
      return <ColorLine {...props} />;
    case 'secret':
      return props.facts.isLong ? <Lines {...props} /> : <Line {...props} />;
    case 'text':
    case 'number':
      return <Line {...props} />;
  }
}

const TYPES = { text: 'text', secret: 'password', number: 'number' } as const;

function Line(props: InputProps) {
  const { facts, value } = props;
  const kind = facts.kind as keyof typeof TYPES;
  const { min, max, minLength, maxLength, pattern, usual } = facts;
  return (
    <input
      {...commonOf(props)}
      className="input"
      type={facts.isEmail ? 'email' : TYPES[kind]}
      defaultValue={textOfValue(facts, value)}
      {...{ min, max, minLength, maxLength, pattern }}
      placeholder={textOfValue(facts, usual)}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
      spellCheck={false}
    />
  );
}

function Lines(props: InputProps) {
  const { facts, value } = props;
  const isCode = facts.kind !== 'lines';
  return (
    <textarea
      {...commonOf(props)}
      className={isCode ? 'input mono' : 'input'}
      dir={isCode ? 'ltr' : 'auto'}
      defaultValue={textOfValue(facts, value)}
      maxLength={facts.kind === 'lines' ? facts.maxLength : undefined}
      spellCheck={!isCode}
    />
  );
}

function Choice(props: InputProps) {
  const { facts, value } = props;
  const { say } = useTexts();
  const { choiceOf } = useWords();
  const choices = facts.choices ?? ['true', 'false'];
  const words = (choice: string) =>
    facts.choices ? choiceOf(facts, choice) : say(choice === 'true' ? 'yes' : 'no');
  return (
    <select {...commonOf(props)} className="select" defaultValue={textOfValue(facts, value)}>
      <option value="">{facts.required ? say('choose') : say('usual')}</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {words(choice)}
        </option>
      ))}
    </select>
  );
}

function Checks({ facts, value, id }: InputProps) {
  const { choiceOf } = useWords();
  const chosen = Array.isArray(value) ? value.map(String) : [];
  return (
    <div className="checks-grid">
      {facts.choices?.map((choice) => (
        <label key={choice} className="check">
          <input
            id={`${id}-${choice}`}
            type="checkbox"
            name={facts.name}
            value={choice}
            defaultChecked={chosen.includes(choice)}
          />
          <bdi>{choiceOf(facts, choice)}</bdi>
        </label>
      ))}
    </div>
  );
}
