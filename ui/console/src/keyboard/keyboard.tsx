import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useEffectEvent, useRef } from 'react';
import { useTenant } from '../url/params.ts';
import { areLettersOn, shortcutOf } from './shortcuts.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const KeyboardHelp = lazy(async () => ({ default: (await import('./help.tsx')).KeyboardHelp }));

/** After this time, a palette that has not loaded takes no more keys. */
const MAX_WAIT_MS = 5000;

export type Open = 'palette' | 'help' | undefined;

interface Props {
  readonly open: Open;
  readonly setOpen: (open: Open) => void;
}

/** Closes a palette that does not load. */
function useWaitLimit(open: Open, close: () => void) {
  const giveUp = useEffectEvent(() => {
    if (document.querySelector('.palette') === null) close();
  });
  useEffect(() => {
    if (open !== 'palette') return;
    const timer = setTimeout(giveUp, MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, [open]);
}

/** Handles the console's keyboard shortcuts, and shows what they open. */
export function Keyboard({ open, setOpen }: Props) {
  const tenant = useTenant();
  const navigate = useNavigate();
  const isAfterG = useRef(false);
  const early = useRef('');
  const close = () => {
    early.current = '';
    setOpen(undefined);
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, altKey: isAlt } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    if (open === 'palette' && !isInPalette(event.target)) {
      if (isCommand || isAlt || event.isComposing) return;
      if (key === 'Escape') close();
      const typed = typedWith(early.current, key);
      // Otherwise Enter would press what has the focus behind the palette.
      if (typed !== undefined || key === 'Enter') event.preventDefault();
      early.current = typed ?? early.current;
      return;
    }
    const found = shortcutOf({
      key,
      isCommand,
      isAlt,
      isTaken: open !== undefined || isTaken(event.target),
      isAfterG: isAfterG.current,
      hasLetters: areLettersOn(),
    });
    isAfterG.current = found?.does === 'wait';
    if (!found) return;
    event.preventDefault();
    if (found.does === 'palette' || found.does === 'help') setOpen(found.does);
    if (found.does === 'search') focusOn('form[role=search] :is(input, select, button)');
    if (found.does === 'create') document.querySelector<HTMLElement>('[data-creates]')?.click();
    if (found.does === 'go') void navigate({ to: `/t/${tenant}${found.to}` });
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  useWaitLimit(open, close);
  return (
    <Suspense>
      {open === 'palette' && <Palette early={early} onClose={close} />}
      {open === 'help' && <KeyboardHelp onClose={close} />}
    </Suspense>
  );
}

function isInPalette(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.palette') !== null;
}

/** The text of a field after a key; undefined if the key types nothing. */
function typedWith(typed: string, key: string): string | undefined {
  if (key === 'Backspace') return typed.slice(0, -1);
  return key.length === 1 ? typed + key : undefined;
}

/** Whether letters are being typed, or a dialog or a menu is open. */
function isTaken(target: EventTarget | null): boolean {
  const isTyping =
    target instanceof Element &&
    target.matches('input:not([type=checkbox]), select, textarea, [contenteditable]');
  return (
    isTyping || document.querySelector('[role=alertdialog], [role=dialog], [role=menu]') !== null
  );
}

function focusOn(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}
