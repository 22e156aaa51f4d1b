import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useList } from '../../api/queries.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { HOME } from '../../url/home.ts';
import { addressOf } from '../../url/inside.ts';
import { activeAfter, optionsOf } from './options.ts';
import { noteRecent, readRecent, type RecentTenant } from './recent.ts';

const LIMIT = 20;
/** A pause in typing. */
const PAUSE_MS = 120;

/** A search box over all tenants, which requests 20 of them (ARIA APG, combobox). */
export function TenantSearch({ onChosen }: { readonly onChosen: () => void }) {
  const { say } = useTexts();
  const id = useId();
  const state = useSearching(onChosen);
  const { list, options, isStale, active, recent, choose } = state;
  return (
    <>
      <label className="field" htmlFor={id}>
        {say('searchTenants')}
      </label>
      <SearchBox id={id} {...state} />
      {list.error && <ProblemNote problem={list.error} onRetry={() => void list.refetch()} />}
      <Options {...{ id, options, isStale, active, recent, choose }} />
      {list.data && options.length === 0 && <p className="muted">{say('emptyFiltered')}</p>}
    </>
  );
}

/** The typed text, the tenants that it finds, and which of them is active. */
function useSearching(onChosen: () => void) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const [recentTenants] = useState(readRecent);
  const search = useSettled(text.trim());
  const query = { limit: LIMIT, ...(search === '' ? {} : { search }) };
  const list = useList(HOME, 'tenants.list', { query });
  const options = optionsOf(search, recentTenants, list.data?.items ?? []);
  return {
    list,
    options,
    // The displayed results belong to another text.
    isStale: text.trim() !== search || list.isPlaceholderData || list.isPending,
    recent: search === '' ? recentTenants.length : 0,
    text,
    type: (typed: string) => {
      setText(typed);
      setActive(0);
    },
    active: Math.min(active, Math.max(options.length - 1, 0)),
    setActive,
    choose: ({ id, name }: RecentTenant) => {
      noteRecent({ id, name });
      onChosen();
      // Loads a new page, which has read nothing of another tenant.
      globalThis.location.assign(addressOf(id));
    },
  };
}

function SearchBox(props: ReturnType<typeof useSearching> & { readonly id: string }) {
  const { id, text, type, options, isStale, active, setActive, choose } = props;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), []);
  const press = (event: KeyboardEvent) => {
    // The key confirms the text of an input method, not a tenant (UI Events §5.2.5).
    if (event.nativeEvent.isComposing) return;
    const next = activeAfter(event.key, active, options.length);
    const chosen = options[active];
    if (next !== undefined) setActive(next);
    else if (event.key !== 'Enter') return;
    else if (chosen && !isStale) choose(chosen);
    event.preventDefault();
  };
  return (
    <input
      ref={box}
      id={id}
      className="input"
      type="search"
      role="combobox"
      aria-expanded="true"
      aria-controls={`${id}-list`}
      aria-autocomplete="list"
      aria-activedescendant={options[active] && `${id}-${active}`}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => type(event.target.value)}
      onKeyDown={press}
    />
  );
}

interface OptionsProps {
  readonly id: string;
  readonly options: readonly RecentTenant[];
  readonly isStale: boolean;
  readonly active: number;
  /** Number of recent tenants among the options. */
  readonly recent: number;
  readonly choose: (option: RecentTenant) => void;
}

function Options({ id, options, isStale, active, recent, choose }: OptionsProps) {
  const { say } = useTexts();
  return (
    <ul id={`${id}-list`} role="listbox" aria-label={say('tenants')} aria-busy={isStale}>
      {options.map((option, place) => (
        <li
          key={option.id}
          id={`${id}-${place}`}
          role="option"
          aria-selected={place === active}
          ref={place === active ? scrollHere : undefined}
          // Keeps the focus in the search box.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => choose(option)}
        >
          <Avatar id={option.id} name={option.name} isSquare />
          <span>
            <bdi>{option.name}</bdi>
            <small>
              <bdi>{option.id}</bdi>
              {place < recent && ` · ${say('recentTenant')}`}
            </small>
          </span>
        </li>
      ))}
    </ul>
  );
}

function scrollHere(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

/** Returns the text once the user has stopped typing for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
