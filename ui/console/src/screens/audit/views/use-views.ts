import { useState } from 'react';
import { useCaller } from '../../../shell/caller.tsx';
import { keep, readStored } from '../../../shell/appearance.ts';
import { useTenant } from '../../../url/params.ts';
import { type Flaw, flawOf, type View, viewsOf } from './views.ts';

export interface StoredViews {
  readonly views: readonly View[];
  /**
   * Changes the currently stored views, including those stored by another tab.
   * @returns whether the browser stored them
   */
  readonly change: (how: (views: readonly View[]) => readonly View[]) => boolean;
  /** Returns why a view cannot have this name now. @param before the view's current name */
  readonly flawOf: (name: string, before?: string) => Flaw | undefined;
}

/** Returns the views of the logged-in user in this tenant and browser. @param names of the filters */
export function useViews(names: readonly string[]): StoredViews {
  const tenant = useTenant();
  const { id } = useCaller();
  const key = `keywright-views ${tenant} ${id}`;
  const read = () => viewsOf(readStored(key), names);
  const [views, setViews] = useState(read);
  const change = (how: (present: readonly View[]) => readonly View[]) => {
    const next = how(read());
    const isStored = keep(key, JSON.stringify(next));
    if (isStored) setViews(next);
    return isStored;
  };
  return { views, change, flawOf: (name, before) => flawOf(read(), name, before) };
}
