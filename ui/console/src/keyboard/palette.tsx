import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { useCaller } from '../shell/caller.tsx';
import { GROUPS } from '../shell/nav.tsx';
import { useTexts } from '../texts/texts.tsx';
import { useTenant } from '../url/params.ts';
import { CREATIONS, entriesFor, type Entry } from './entries.ts';

const OFFERED = [...GROUPS.flatMap(({ items }) => items), ...CREATIONS];
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * The command palette: goes to any screen, creates anything, and finds records by ID (ARIA pattern: combobox with a
 * list box). A key that belongs to an input method chooses nothing (UI Events §5.2.5).
 */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { say } = useTexts();
  const { can, isSystemAdministrator } = useCaller();
  const tenant = useTenant();
  const navigate = useNavigate();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const entries = entriesFor(typed, OFFERED, { say, can, isSystemAdministrator });
  const go = ({ to, search }: Entry) => {
    onClose();
    void navigate({ to: `/t/${tenant}${to}`, ...(search && { search }) });
  };
  const move = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = STEPS[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      setAt((at + step + entries.length) % entries.length);
    }
    const chosen = entries[at];
    if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      go(chosen);
    }
  };
  return (
    <Dialog title={say('palette')} isOpen onClose={onClose}>
      <input
        type="text"
        className="input"
        role="combobox"
        aria-label={say('paletteHint')}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={entries[at] && `${id}-${at}`}
        placeholder={say('paletteHint')}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={move}
      />
      <Entries id={id} entries={entries} at={at} onChoose={go} />
    </Dialog>
  );
}

interface EntriesProps {
  readonly id: string;
  readonly entries: readonly Entry[];
  /** Index of the entry that Enter chooses. */
  readonly at: number;
  readonly onChoose: (entry: Entry) => void;
}

function Entries({ id, entries, at, onChoose }: EntriesProps) {
  const { say } = useTexts();
  return (
    <>
      <ul id={id} className="palette" role="listbox" aria-label={say('palette')}>
        {entries.map((entry, index) => (
          <li
            key={`${entry.to} ${entry.text}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            ref={index === at ? keepInSight : null}
            onClick={() => onChoose(entry)}
          >
            <bdi>{entry.text}</bdi>
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p role="status">{say('paletteNothing')}</p>}
    </>
  );
}

function keepInSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
