import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useSettled } from '../parts/settled.ts';
import { useCaller } from '../shell/caller.tsx';
import { GROUPS } from '../shell/nav.tsx';
import { useTexts } from '../texts/texts.tsx';
import { useTenant } from '../url/params.ts';
import { CREATIONS, entriesFor, type Entry, type EntryGroup, pastedEntry } from './entries.ts';
import { useFound } from './found.ts';
import { noteRecent, readRecent } from './recent.ts';

const PAGES = GROUPS.flatMap(({ items }) => items);
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

interface Props {
  /** Text typed before the field had the focus. */
  readonly early: RefObject<string>;
  readonly onClose: () => void;
}

/** The command palette: goes to any screen, creates anything, and finds records by name or ID. */
export function Palette({ early, onClose }: Props) {
  const { say } = useTexts();
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="palette">
          <Dialog.Title className="unseen">{say('palette')}</Dialog.Title>
          <Search early={early} onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * A field and what it finds (ARIA pattern: combobox with a list box). A key that belongs to an input method chooses
 * nothing (UI Events §5.2.5).
 */
function Search({ early, onClose }: Props) {
  const { say } = useTexts();
  const id = useId();
  const { typed, setTyped, takeEarly } = useTyped(early);
  const [at, setAt] = useState(0);
  const { groups, isPending } = useGroups(typed.trim());
  const entries = groups.flatMap((group) => group.entries);
  const active = Math.min(at, Math.max(entries.length - 1, 0));
  const go = useGo(onClose);
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = STEPS[event.key];
    const chosen = entries[active];
    if (step !== undefined && entries.length > 0) {
      setAt((active + step + entries.length) % entries.length);
    } else if (event.key === 'Enter' && chosen) go(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={say('paletteHint')}
          aria-expanded
          aria-controls={id}
          aria-activedescendant={entries[active] && `${id}-${active}`}
          placeholder={say('paletteHint')}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onFocus={takeEarly}
          onKeyDown={press}
        />
      </div>
      <Groups id={id} groups={groups} at={active} isBusy={isPending} onChoose={go} />
      <p role="status" className="nothing">
        {entries.length === 0 && !isPending && say('paletteNothing', { query: typed.trim() })}
      </p>
    </>
  );
}

/** The text of the field. It takes the text typed earlier when it gets the focus. */
function useTyped(early: RefObject<string>) {
  const [typed, setTyped] = useState('');
  const takeEarly = () => {
    const letters = early.current;
    early.current = '';
    setTyped((before) => before + letters);
  };
  return { typed, setTyped, takeEarly };
}

/** Follows an entry, which becomes the latest of the recent ones. */
function useGo(onClose: () => void): (entry: Entry) => void {
  const tenant = useTenant();
  const { id } = useCaller();
  const navigate = useNavigate();
  return ({ to, search, text, isElsewhere = false }) => {
    onClose();
    if (isElsewhere) {
      // Loads a new page, which has read nothing of another tenant.
      globalThis.location.assign(to);
      return;
    }
    if (!search) noteRecent(tenant, id, { to, text });
    void navigate({ to: `/t/${tenant}${to}`, ...(search && { search }) });
  };
}

/** Returns the recent entries and all screens; after typing, those that match. */
function useGroups(typed: string) {
  const { say } = useTexts();
  const { id, can, isSystemAdministrator } = useCaller();
  const tenant = useTenant();
  const [recent] = useState(() => readRecent(tenant, id));
  const settled = useSettled(typed);
  const found = useFound(settled);
  const reader = { say, can, isSystemAdministrator };
  const groups: EntryGroup[] = [
    { title: 'palette.pasted', entries: pastedEntry(typed, isSystemAdministrator) },
    {
      title: 'palette.recent',
      entries: typed === '' ? recent.map(({ to, text }) => ({ to, text, icon: iconOf(to) })) : [],
    },
    { title: 'palette.pages', entries: entriesFor(typed, PAGES, reader) },
    { title: 'palette.actions', entries: entriesFor(typed, CREATIONS, reader) },
    // Last, so that they push nothing away that Enter is about to choose.
    ...(settled === typed ? found.groups : []),
  ];
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isPending: settled !== typed || found.isPending,
  };
}

function iconOf(to: string): Entry['icon'] {
  const list = PAGES.find(
    (page) => page.to !== '/' && (to === page.to || to.startsWith(`${page.to}/`)),
  );
  return list?.icon ?? 'history';
}

interface GroupsProps {
  readonly id: string;
  readonly groups: readonly EntryGroup[];
  /** Index of the entry that Enter chooses. */
  readonly at: number;
  readonly isBusy: boolean;
  readonly onChoose: (entry: Entry) => void;
}

function Groups({ id, groups, at, isBusy, onChoose }: GroupsProps) {
  const { say } = useTexts();
  const starts = groups.map((_, index) =>
    groups.slice(0, index).reduce((count, { entries }) => count + entries.length, 0),
  );
  return (
    <div
      id={id}
      className="palette-list"
      role="listbox"
      aria-label={say('palette')}
      aria-busy={isBusy}
    >
      {groups.map(({ title, entries }, group) => (
        <div key={title} role="group" aria-labelledby={`${id}-${title}`}>
          <p id={`${id}-${title}`} role="presentation">
            {say(title)}
          </p>
          {entries.map((entry, index) => {
            const place = (starts[group] ?? 0) + index;
            return (
              <div
                key={`${entry.to} ${entry.text}`}
                id={`${id}-${place}`}
                role="option"
                aria-selected={place === at}
                ref={place === at ? keepInSight : null}
                onClick={() => onChoose(entry)}
              >
                <Icon name={entry.icon} />
                <bdi>{entry.text}</bdi>
                {entry.about !== undefined && <small dir="ltr">{entry.about}</small>}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function keepInSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
