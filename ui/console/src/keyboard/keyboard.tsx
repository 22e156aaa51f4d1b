import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useEffectEvent, useRef } from 'react';
import { useTenant } from '../url/params.ts';
import { areLettersOn, shortcutOf } from './shortcuts.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const KeyboardHelp = lazy(async () => ({ default: (await import('./help.tsx')).KeyboardHelp }));

export type Open = 'palette' | 'help' | undefined;

interface Props {
  readonly open: Open;
  readonly setOpen: (open: Open) => void;
}

/** Handles the console's keyboard shortcuts, and shows what they open. */
export function Keyboard({ open, setOpen }: Props) {
  const tenant = useTenant();
  const navigate = useNavigate();
  const isAfterG = useRef(false);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, altKey: isAlt } = event;
    const isCommand = event.ctrlKey || event.metaKey;
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
  const close = () => setOpen(undefined);
  return (
    <Suspense>
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'help' && <KeyboardHelp onClose={close} />}
    </Suspense>
  );
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
