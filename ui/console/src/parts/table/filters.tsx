import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { useView } from '../../url/view.ts';
import { Button } from '../button.tsx';
import type { Filter } from './column.ts';
import { localOfMoment, momentOfLocal } from './moment.ts';

/** A pause in typing. */
const PAUSE_MS = 120;

/** The filters of the list, which are part of the URL. */
export function Filters({ filters }: { readonly filters: readonly Filter[] }) {
  const { say } = useTexts();
  const { search, filter } = useView();
  const isFiltered = filters.some(({ name }) => search[name]);
  const clear = () => filter(Object.fromEntries(filters.map(({ name }) => [name, ''])));
  return (
    <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      {filters.map((field) => {
        if (field.choices)
          return <Choice key={field.name} filter={field} choices={field.choices} />;
        if (field.isMoment) return <Moment key={field.name} filter={field} />;
        return <SearchField key={field.name} filter={field} />;
      })}
      {isFiltered && <Button onClick={clear}>{say('clearFilters')}</Button>}
    </form>
  );
}

function Choice({ filter: field, choices }: { filter: Filter; choices: readonly string[] }) {
  const { say, name } = useTexts();
  const { search, filter } = useView();
  const wordOf = (choice: string) => {
    if (field.words === 'raw') return choice;
    const key = field.words?.[choice];
    return key ? say(key) : name(choice);
  };
  return (
    <label>
      {say(field.label)}
      <select
        className="select"
        value={search[field.name] ?? ''}
        onChange={(event) => filter({ [field.name]: event.target.value })}
      >
        <option value="">{say(field.usual ?? 'any')}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {wordOf(choice)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Moment({ filter: field }: { filter: Filter }) {
  const { say } = useTexts();
  const { search, filter } = useView();
  return (
    <label>
      {say(field.label)}
      <input
        type="datetime-local"
        className="input"
        value={localOfMoment(search[field.name] ?? '')}
        onChange={(event) => filter({ [field.name]: momentOfLocal(event.target.value) })}
      />
    </label>
  );
}

/** Puts the typed text into the URL a moment later. Meanwhile, none of it is lost. */
export function SearchField({ filter: field }: { filter: Filter }) {
  const { say } = useTexts();
  const { search, filter } = useView();
  const present = search[field.name] ?? '';
  const [text, setText] = useState(present);
  const sent = useRef(present);
  const send = (value: string) => {
    sent.current = value.trim();
    filter({ [field.name]: sent.current });
  };
  useEffect(() => {
    // Something else changed the URL, such as Back.
    if (present === sent.current) return;
    sent.current = present;
    setText(present);
  }, [present]);
  useEffect(() => {
    if (field.isExact || text.trim() === sent.current) return undefined;
    const timer = setTimeout(() => send(text), PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return (
    <label>
      {say(field.label)}
      <input
        type="search"
        className="input"
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => text.trim() !== sent.current && send(text)}
        onKeyDown={(event) => event.key === 'Enter' && send(text)}
      />
    </label>
  );
}
