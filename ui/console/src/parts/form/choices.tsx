import { type RefObject, useRef } from 'react';
import { useTexts, useWords } from '../../texts/texts.tsx';
import { Button } from '../button.tsx';
import { isOfNames } from './combobox.tsx';
import { commonOf, type InputProps } from './control.ts';
import { textOfValue } from './values.ts';

/** More are chosen from a list. */
const MOST_CARDS = 4;

/** Returns whether all choices are shown, because they are few and one of them always applies. */
export function hasCards(
  { kind, choices = [], nullable, byDefault, example, required }: InputProps['facts'],
  value: unknown,
): boolean {
  const isSet = typeof value === 'string' || byDefault !== undefined || example !== undefined;
  return (
    kind === 'choice' &&
    choices.length <= MOST_CARDS &&
    (isSet || required === true) &&
    !(nullable && byDefault === undefined)
  );
}

/** One of a few choices, or of a list with the default in front. */
export function Choice(props: InputProps) {
  const { facts, value } = props;
  const { say } = useTexts();
  const { choiceOf } = useWords();
  if (hasCards(facts, value)) return <Cards {...props} />;
  const choices = facts.choices ?? ['true', 'false'];
  const wordOf = (choice: string) =>
    facts.choices ? choiceOf(facts, choice) : say(choice === 'true' ? 'yes' : 'no');
  return (
    <select {...commonOf(props)} className="select" defaultValue={textOfValue(facts, value)}>
      <option value="">{facts.required ? say('choose') : say('usual')}</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {wordOf(choice)}
        </option>
      ))}
    </select>
  );
}

function Cards({ facts, value, id }: InputProps) {
  const { choiceOf } = useWords();
  const chosen = value ?? facts.byDefault ?? facts.example;
  return (
    <div className="cards">
      {facts.choices?.map((choice) => (
        <label key={choice} className="radio-card">
          <input
            id={`${id}-${choice}`}
            type="radio"
            name={facts.name}
            value={choice}
            required={facts.required === true}
            defaultChecked={choice === chosen}
          />
          <span>{choiceOf(facts, choice)}</span>
        </label>
      ))}
    </div>
  );
}

export function Checks({ facts, value, id }: InputProps) {
  const { choiceOf } = useWords();
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const grid = useRef<HTMLDivElement>(null);
  return (
    <div className="checks-grid" ref={grid}>
      {facts.name === 'scopes' && <ScopePresets onChoose={(chooses) => check(grid, chooses)} />}
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

/** Presses the boxes, so that the form is notified of each. */
function check(grid: RefObject<HTMLDivElement | null>, chooses: (scope: string) => boolean): void {
  for (const box of grid.current?.querySelectorAll('input') ?? []) {
    if (box.checked !== chooses(box.value)) box.click();
  }
}

interface PresetProps {
  readonly onChoose: (chooses: (scope: string) => boolean) => void;
}

function ScopePresets({ onChoose }: PresetProps) {
  const { say } = useTexts();
  return (
    <div className="actions whole-row">
      <Button isSmall onClick={() => onChoose((scope) => scope.startsWith('read:'))}>
        {say('scopesRead')}
      </Button>
      <Button isSmall onClick={() => onChoose(() => true)}>
        {say('scopesAll')}
      </Button>
    </div>
  );
}

export function Switch(props: InputProps) {
  const { facts, value } = props;
  const { required: _, ...common } = commonOf(props);
  return (
    <input
      {...common}
      type="checkbox"
      role="switch"
      className="switch"
      value="true"
      defaultChecked={(value ?? facts.byDefault ?? false) === true}
    />
  );
}

/** Returns whether the control is a group of several inputs, each with a label. */
export function isGroup(facts: InputProps['facts'], value: unknown): boolean {
  if (facts.kind === 'choices') return !isOfNames(facts);
  return facts.kind === 'scopes' || hasCards(facts, value);
}
