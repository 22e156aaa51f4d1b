import type { User } from '@keywright/sdk';
import { type RefObject, useState } from 'react';
import { differencesOf, type Flaw, type Metadata, readMetadata } from './rules.ts';
import { useSaving } from './use-saving.ts';

const textOf = (metadata: Metadata) => JSON.stringify(metadata, undefined, 2);

/** Edits all metadata as text, saved if no other user changed the version that it started from. */
export function useWhole(user: User, area: RefObject<HTMLTextAreaElement | null>) {
  const saving = useSaving(user);
  const [base, setBase] = useState<Metadata>(user.metadata);
  const [text, setText] = useState(() => textOf(user.metadata));
  const [flaw, setFlaw] = useState<Flaw>();
  const [isUnchanged, setUnchanged] = useState(false);
  const reset = (from: Metadata) => {
    setBase(from);
    setText(textOf(from));
    saving.forget();
  };
  const send = (from: Metadata): void => {
    if (saving.isPending) return;
    const read = readMetadata(text);
    const isSame = 'value' in read && differencesOf(read.value, from).length === 0;
    setBase(from);
    setFlaw('flaw' in read ? read.flaw : undefined);
    setUnchanged(isSame);
    if ('flaw' in read) return show(area.current, read.flaw);
    if (isSame) return saving.forget();
    saving.save({
      isOf: (present) => differencesOf(present, from).length === 0,
      next: () => read.value,
      onSaved: reset,
    });
  };
  return { saving, base, text, setText, flaw, isUnchanged, reset, send };
}

/** Selects the character at a fault. */
function show(area: HTMLTextAreaElement | null, flaw: Flaw): void {
  area?.focus();
  if ('at' in flaw) area?.setSelectionRange(flaw.at, flaw.at + 1);
}
