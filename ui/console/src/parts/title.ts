import { useEffect } from 'react';

/** What the window is called while this is shown; undefined: as before. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Keywright`;
  }, [title]);
}
