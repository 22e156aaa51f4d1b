import { useRef, useState } from 'react';
import { useTexts, useWords } from '../../texts/texts.tsx';
import { Button } from '../button.tsx';
import type { InputProps } from './control.ts';
import { byTopic } from './topics.ts';

/** Checkboxes for types of events, by topic, with a search. */
export function EventTree({ facts, value, id }: InputProps) {
  const { say } = useTexts();
  const { choiceOf } = useWords();
  const types = facts.choices ?? [];
  const box = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(Array.isArray(value) ? value.map(String) : []),
  );
  const [text, setText] = useState('');
  const query = text.trim().toLowerCase();
  const isShown = (type: string) =>
    `${type} ${choiceOf(facts, type)}`.toLowerCase().includes(query);
  /** The form reads the boxes when its input event bubbles, before this is rendered again. */
  const check = (of: readonly string[], isChecked: boolean) => {
    for (const input of box.current?.querySelectorAll<HTMLInputElement>('input[value]') ?? []) {
      if (input.name === facts.name && of.includes(input.value)) input.checked = isChecked;
    }
    setChosen((before) => {
      const after = new Set(before);
      for (const type of of) {
        if (isChecked) after.add(type);
        else after.delete(type);
      }
      return after;
    });
  };
  const countOf = (of: readonly string[]) => of.filter((type) => chosen.has(type)).length;
  return (
    <div className="stack" ref={box}>
      <Search text={text} onType={setText} chosen={chosen.size} all={types.length} />
      <div>
        {byTopic(types).map(([topic, all]) => (
          <Topic
            key={topic}
            title={say(`topic.${topic}`)}
            count={say('eventsChosen', { count: countOf(all), of: all.length })}
            types={all.map((type) => ({
              type,
              word: choiceOf(facts, type),
              isChosen: chosen.has(type),
              isShown: isShown(type),
            }))}
            isSearched={query !== ''}
            {...{ id, check, name: facts.name }}
          />
        ))}
      </div>
    </div>
  );
}

interface SearchProps {
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly chosen: number;
  readonly all: number;
}

function Search({ text, onType, chosen, all }: SearchProps) {
  const { say } = useTexts();
  return (
    <div className="filters">
      <label>
        {say('eventsSearch')}
        <input
          type="search"
          className="input"
          value={text}
          autoComplete="off"
          onChange={({ target }) => onType(target.value)}
          // It would submit the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </label>
      <span className="muted" role="status">
        {say('eventsChosen', { count: chosen, of: all })}
      </span>
    </div>
  );
}

interface TopicProps {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly count: string;
  readonly types: readonly {
    readonly type: string;
    readonly word: string;
    readonly isChosen: boolean;
    readonly isShown: boolean;
  }[];
  readonly isSearched: boolean;
  readonly check: (types: readonly string[], isChecked: boolean) => void;
}

function Topic({ id, name, title, count, types, isSearched, check }: TopicProps) {
  const { say } = useTexts();
  const shown = types.filter(({ isShown }) => isShown);
  const isAll = shown.every(({ isChosen }) => isChosen);
  const toggleAll = () =>
    check(
      shown.map(({ type }) => type),
      !isAll,
    );
  return (
    <details className="topic" hidden={shown.length === 0} open={isSearched || undefined}>
      <summary>
        {title} <span className="muted">{count}</span>
      </summary>
      <Button kind="ghost" isSmall onClick={toggleAll}>
        {say(isAll ? 'chooseNone' : 'chooseAll')}
        <span className="unseen"> {title}</span>
      </Button>
      {types.map(({ type, word, isChosen, isShown }) => (
        <label key={type} className="check" hidden={!isShown}>
          <input
            id={`${id}-${type}`}
            type="checkbox"
            name={name}
            value={type}
            defaultChecked={isChosen}
            onChange={({ target }) => check([type], target.checked)}
          />
          <span>
            {word} <bdi className="mono muted">{type}</bdi>
          </span>
        </label>
      ))}
    </details>
  );
}
