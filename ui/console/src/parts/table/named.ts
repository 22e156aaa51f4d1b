import { useState } from 'react';
import { useRecordNames } from '../../api/users.ts';
import { useCaller } from '../../shell/caller.tsx';

interface Named<Item> {
  readonly items: readonly Item[] | undefined;
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Returns rows with the names of the records in them, as far as the caller can read them. Rows wait for their names, so that
 * nothing moves when they load; the previous rows remain meanwhile.
 */
export function useNamed<Item>(
  items: readonly Item[] | undefined,
  usersIn: ((item: Item) => readonly (string | null)[]) | undefined,
): Named<Item> & { readonly isPending: boolean } {
  const { can, isLoaded } = useCaller();
  const [previous, setPrevious] = useState<Named<Item>>();
  const ids = usersIn ? (items ?? []).flatMap(usersIn) : [];
  const { names, isPending: isReading } = useRecordNames(ids, can);
  const isPending = isReading || (ids.length > 0 && !isLoaded);
  if (!isPending && previous?.items !== items) setPrevious({ items, names });
  const shown = isPending ? previous : { items, names };
  return { items: shown?.items, names: shown?.names ?? names, isPending };
}
