import { useLocation } from '@tanstack/react-router';
import { Place } from '../parts/place.tsx';
import type { TextKey } from '../texts/locales.ts';
import { useTexts } from '../texts/texts.tsx';
import { useTenant } from '../url/params.ts';
import { useCaller } from './caller.tsx';

interface Item {
  readonly to: string;
  readonly title: TextKey;
  readonly scope?: string;
  /** For system administrators. */
  readonly isOfSystem?: boolean;
}

export const GROUPS: readonly { readonly title?: TextKey; readonly items: readonly Item[] }[] = [
  { items: [{ to: '/', title: 'overview' }] },
  {
    title: 'people',
    items: [
      { to: '/users', title: 'users', scope: 'read:users' },
      { to: '/invitations', title: 'invitations', scope: 'read:users' },
      { to: '/sessions', title: 'sessions', scope: 'read:sessions' },
    ],
  },
  {
    title: 'access',
    items: [
      { to: '/workspaces', title: 'workspaces', scope: 'read:workspaces' },
      { to: '/roles', title: 'roles', scope: 'read:roles' },
      { to: '/explain', title: 'explain', scope: 'read:audit' },
    ],
  },
  {
    title: 'machines',
    items: [
      { to: '/agents', title: 'agents', scope: 'read:agents' },
      { to: '/keys', title: 'signingKeys', scope: 'read:keys' },
    ],
  },
  {
    title: 'apps',
    items: [
      { to: '/clients', title: 'clients', scope: 'read:clients' },
      { to: '/resources', title: 'resources', scope: 'read:clients' },
      { to: '/registration-tokens', title: 'registrationTokens', scope: 'read:clients' },
      { to: '/webhooks', title: 'webhooks', scope: 'read:webhooks' },
      { to: '/providers', title: 'providers', scope: 'read:tenant' },
    ],
  },
  {
    title: 'lookAndWords',
    items: [
      { to: '/branding', title: 'branding', scope: 'read:tenant' },
      { to: '/texts', title: 'texts', scope: 'read:tenant' },
      { to: '/messages', title: 'messages', scope: 'read:tenant' },
    ],
  },
  {
    title: 'evidence',
    items: [
      { to: '/audit', title: 'audit', scope: 'read:audit' },
      { to: '/events', title: 'events', scope: 'read:events' },
      { to: '/activity', title: 'activity', scope: 'read:audit' },
    ],
  },
  {
    title: 'tenant',
    items: [{ to: '/settings', title: 'settings', scope: 'read:tenant' }],
  },
  {
    title: 'installation',
    items: [
      { to: '/tenants', title: 'tenants', isOfSystem: true },
      { to: '/installation', title: 'installation', isOfSystem: true },
    ],
  },
];

/** Links to the screens that the caller can read. */
export function Nav({ isOpen }: { readonly isOpen: boolean }) {
  const { say } = useTexts();
  const { can, isLoaded, isSystemAdministrator } = useCaller();
  const isShown = ({ scope, isOfSystem = false }: Item) =>
    (scope === undefined || (isLoaded && can(scope))) && (!isOfSystem || isSystemAdministrator);
  return (
    <nav id="nav" className="nav" aria-label={say('mainMenu')} data-open={isOpen || undefined}>
      <div>
        {GROUPS.map(({ title, items }) => {
          const shown = items.filter(isShown);
          if (shown.length === 0) return null;
          return (
            <section key={title ?? ''}>
              {title && <h2>{say(title)}</h2>}
              <ul>
                {shown.map((item) => (
                  <NavItem key={item.to} item={item} />
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </nav>
  );
}

function NavItem({ item: { to, title } }: { readonly item: Item }) {
  const { say } = useTexts();
  const tenant = useTenant();
  const { pathname } = useLocation();
  const here = pathname.slice(`/t/${tenant}`.length) || '/';
  const isCurrent = to === '/' ? here === '/' : here === to || here.startsWith(`${to}/`);
  return (
    <li>
      <Place to={to} isCurrent={isCurrent}>
        {say(title)}
      </Place>
    </li>
  );
}
