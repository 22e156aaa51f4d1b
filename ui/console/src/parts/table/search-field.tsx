import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { useView } from '../../url/view.ts';
import { Icon } from '../icon.tsx';
import type { Filter, TextSearch } from './column.ts';
import { momentOfLocal } from './moment.ts';
import { useOptions } from './options.ts';
import { typedIn, valueOf } from './typed.ts';

/** A pause in typing. */
const PAUSE_MS = 120;
const NO_FILTERS: readonly Filter[] = [];

interface Props {
  readonly field: TextSearch;
  /** Filters that can be typed as `name:value`. */
  readonly filters?: readonly Filter[];
}

/** Puts the typed text into the URL a moment later. Meanwhile, none of it is lost. */
export function SearchField({ field, filters = NO_FILTERS }: Props) {
  const { say } = useTexts();
  const { text, setText, finish } = useTyped(field, filters);
  return (
    <label className="search">
      <span className="unseen">{say(field.label)}</span>
      <Icon name="search" />
      <input
        type="search"
        className="input"
        value={text}
        placeholder={say(field.label)}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => finish()}
        onKeyDown={(event) => event.key === 'Enter' && finish()}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}

/** The typed text, which becomes a search or a filter. */
function useTyped(field: TextSearch, filters: readonly Filter[]) {
  const { say } = useTexts();
  const { search, filter } = useView();
  const present = search[field.name] ?? '';
  const [text, setText] = useState(present);
  const [isFinished, setFinished] = useState(false);
  const sent = useRef(present);
  const typed = typedIn(text, filters, ({ label }) => say(label));
  const { options, isPending } = useOptions(typed?.filter, typed?.text);
  useEffect(() => {
    // Something else changed the URL, such as Back.
    if (present === sent.current) return;
    sent.current = present;
    setText(present);
  }, [present]);
  const send = (): void => {
    sent.current = text.trim();
    filter({ [field.name]: sent.current });
  };
  useEffect(() => {
    if (typed || text.trim() === sent.current) return undefined;
    const timer = setTimeout(send, PAUSE_MS);
    return () => clearTimeout(timer);
  });
  useEffect(() => {
    // The names of the values can load later.
    if (!isFinished || isPending) return;
    setFinished(false);
    if (!typed) {
      if (text.trim() !== sent.current) send();
      return;
    }
    const { isMoment = false, isOpen = false, name } = typed.filter;
    const asTyped = isMoment ? momentOfLocal(typed.text) : typed.text;
    const named = options && valueOf(typed.text, options);
    const value = named ?? (options === undefined || isOpen ? asTyped : undefined);
    if (!value) return;
    sent.current = '';
    setText('');
    filter({ [name]: value, [field.name]: '' });
  }, [isFinished, isPending]);
  return { text, setText, finish: () => setFinished(true) };
}
