import type { TextKey } from '../texts/locales.ts';
import { useTexts } from '../texts/texts.tsx';
import { useView } from '../url/view.ts';
import { Place } from './place.tsx';

interface Props {
  readonly label: string;
  readonly path: string;
  readonly tabs: readonly { readonly id: string; readonly title: TextKey }[];
}

/** Returns the open tab, which is part of the URL. The first tab needs no name. */
export function useTab(): string {
  return useView().search['tab'] ?? '';
}

/** The tabs are links, since each tab has its own URL. */
export function Tabs({ label, path, tabs }: Props) {
  const { say } = useTexts();
  const current = useTab();
  return (
    <nav aria-label={label}>
      <ul className="tabs">
        {tabs.map(({ id, title }) => (
          <li key={id}>
            <Place to={path} search={id === '' ? {} : { tab: id }} isCurrent={id === current}>
              {say(title)}
            </Place>
          </li>
        ))}
      </ul>
    </nav>
  );
}
