import type { User } from '@keywright/sdk';
import { useState } from 'react';
import {
  bytesOf,
  type Flaw,
  isSameField,
  type Metadata,
  MOST_BYTES,
  type Read,
  readJson,
  withField,
} from './rules.ts';
import { useSaving } from './use-saving.ts';

/** Edits the value of a field as text, saved if no other user changed the field. @param name undefined: a new field */
export function useField(user: User, name: string | undefined, onSaved: () => void) {
  const saving = useSaving(user);
  const [base, setBase] = useState<Metadata>(user.metadata);
  const before = name === undefined ? '' : base[name];
  const [typedName, setTypedName] = useState('');
  const [isText, setIsText] = useState(typeof before === 'string');
  const [text, setText] = useState(() =>
    typeof before === 'string' ? before : JSON.stringify(before, undefined, 2),
  );
  const [flaw, setFlaw] = useState<Flaw>();
  const fieldName = name ?? typedName;
  const isTaken = name === undefined && Object.hasOwn(base, fieldName);
  const send = (from: Metadata): void => {
    if (saving.isPending) return;
    const read = fieldIn(from, fieldName, isText ? { value: text } : readJson(text, 1));
    setBase(from);
    setFlaw('flaw' in read ? read.flaw : undefined);
    if ('flaw' in read) return;
    saving.save({
      isOf: (present) => isSameField(present, from, fieldName),
      next: (present) => withField(present, fieldName, read.value),
      onSaved,
    });
  };
  const typed = { typedName, setTypedName, isText, setIsText, text, setText };
  return { saving, base, fieldName, typed, flaw, isTaken, send };
}

/** Together with the other fields, it can be too large. */
function fieldIn(metadata: Metadata, name: string, read: Read<unknown>): Read<unknown> {
  if ('flaw' in read) return read;
  const isTooLarge = bytesOf(withField(metadata, name, read.value)) > MOST_BYTES;
  return isTooLarge ? { flaw: { kind: 'large' } } : read;
}
