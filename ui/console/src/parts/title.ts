import { useEffect, useSyncExternalStore } from 'react';

/** The screen that is shown, and the list that contains it. */
interface Shown {
  readonly title?: string;
  readonly from?: { readonly to: string; readonly title: string };
}

let shown: Shown = {};
const listeners = new Set<() => void>();

/** Sets the title of the window while this is shown; undefined: leaves it unchanged. */
export function useTitle(title: string | undefined, from?: Shown['from']): void {
  const to = from?.to;
  const list = from?.title;
  useEffect(() => {
    if (title === undefined) return;
    document.title = `${title} · Keywright`;
    shown = { title, ...(to !== undefined && list !== undefined && { from: { to, title: list } }) };
    for (const listener of listeners) listener();
  }, [title, to, list]);
}

/** Returns what the screen calls itself. */
export function useShownTitle(): Shown {
  return useSyncExternalStore(subscribe, () => shown);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
