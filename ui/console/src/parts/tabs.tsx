import { useEffect, useRef } from 'react';
import type { TextKey } from '../texts/locales.ts';
import { useTexts } from '../texts/texts.tsx';
import { useView } from '../url/view.ts';
import { Place } from './place.tsx';

interface Props {
  readonly label: string;
  readonly path: string;
  readonly tabs: readonly Tab[];
  /** The open tab. Default: the one in the query of the URL. */
  readonly current?: string;
  /** Below other tabs */
  readonly isMinor?: boolean;
}

interface Tab {
  readonly id: string;
  readonly title: TextKey;
  /** The path of a tab that is a separate screen. */
  readonly to?: string;
}

/** Returns the open tab, which is part of the URL. The first tab needs no name. */
export function useTab(): string {
  return useView().search['tab'] ?? '';
}

/** The tabs are links, since each tab has its own URL. Where not all fit, the open one is in view. */
export function Tabs({ label, path, tabs, current, isMinor = false }: Props) {
  const { say } = useTexts();
  const open = useTab();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const { current: all } = list;
    if (!all || all.scrollWidth <= all.clientWidth) return;
    all.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [open]);
  return (
    <nav aria-label={label}>
      <ul ref={list} className={isMinor ? 'tabs minor' : 'tabs'}>
        {tabs.map(({ id, title, to }) => (
          <li key={id}>
            <Place
              to={to ?? path}
              search={id === '' || to !== undefined ? {} : { tab: id }}
              isCurrent={id === (current ?? open)}
            >
              {say(title)}
            </Place>
          </li>
        ))}
      </ul>
    </nav>
  );
}
