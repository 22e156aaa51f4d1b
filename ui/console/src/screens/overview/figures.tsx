import { useList } from '../../api/queries.ts';
import type { Input, InputOf, ListId } from '../../api/routes.ts';
import { Place } from '../../parts/place.tsx';
import { useCaller } from '../../shell/caller.tsx';
import type { TextKey } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import type { Search } from '../../url/search.ts';
import { WEBHOOKS } from './attention.ts';

interface Figure {
  readonly route: ListId;
  readonly title: TextKey;
  readonly to: string;
  readonly scope: string;
  readonly search?: Search;
  /** Maximum number requested. Data that is shown elsewhere on this screen is then requested once. */
  readonly limit?: number;
}

const FIGURES: readonly Figure[] = [
  { route: 'users.list', title: 'users', to: '/users', scope: 'read:users' },
  {
    route: 'sessions.list',
    title: 'liveSessions',
    to: '/sessions',
    scope: 'read:sessions',
    search: { is_active: 'true' },
  },
  { route: 'agents.list', title: 'agents', to: '/agents', scope: 'read:agents' },
  { route: 'clients.list', title: 'clients', to: '/clients', scope: 'read:clients' },
  {
    route: 'webhooks.list',
    title: 'webhooks',
    to: '/webhooks',
    scope: 'read:webhooks',
    limit: WEBHOOKS,
  },
];

/** Counts the records of each kind that the caller can read. */
export function Figures() {
  const { say } = useTexts();
  const { can } = useCaller();
  const shown = FIGURES.filter(({ scope }) => can(scope));
  if (shown.length === 0) return null;
  return (
    <nav className="figures" aria-label={say('inNumbers')}>
      {shown.map((figure) => (
        <FigureCard key={figure.route} figure={figure} />
      ))}
    </nav>
  );
}

function FigureCard({
  figure: { route, title, to, search, limit = 1 },
}: {
  readonly figure: Figure;
}) {
  const { say, number } = useTexts();
  const input: Input = { query: { limit, ...search } };
  const list = useList(useTenant(), route, input as InputOf<ListId>);
  const { meta } = list.data ?? {};
  if (list.isError) return null;
  const value = meta === undefined ? '\u00A0' : number(meta.total);
  return (
    <Place to={to} className="card" {...(search && { search })}>
      <strong aria-busy={meta === undefined}>{value}</strong>
      {say(title)}
    </Place>
  );
}
