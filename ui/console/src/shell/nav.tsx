import { useLocation } from '@tanstack/react-router';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Place } from '../parts/place.tsx';
import type { TextKey } from '../texts/locales.ts';
import { useTexts } from '../texts/texts.tsx';
import { useTenant } from '../url/params.ts';
import { useCaller } from './caller.tsx';

interface Item {
  readonly to: string;
  readonly title: TextKey;
  readonly icon: IconName;
  readonly scope?: string;
  /** For system administrators. */
  readonly isOfSystem?: boolean;
}

export const GROUPS: readonly { readonly title?: TextKey; readonly items: readonly Item[] }[] = [
  { items: [{ to: '/', icon: 'layout-dashboard', title: 'overview' }] },
  {
    title: 'people',
    items: [
      { to: '/users', icon: 'users', title: 'users', scope: 'read:users' },
      { to: '/invitations', icon: 'mail-plus', title: 'invitations', scope: 'read:users' },
      { to: '/sessions', icon: 'monitor-smartphone', title: 'sessions', scope: 'read:sessions' },
    ],
  },
  {
    title: 'access',
    items: [
      { to: '/workspaces', icon: 'boxes', title: 'workspaces', scope: 'read:workspaces' },
      { to: '/roles', icon: 'shield', title: 'roles', scope: 'read:roles' },
      { to: '/explain', icon: 'route', title: 'explain', scope: 'read:audit' },
    ],
  },
  {
    title: 'machines',
    items: [
      { to: '/agents', icon: 'bot', title: 'agents', scope: 'read:agents' },
      { to: '/keys', icon: 'key-round', title: 'signingKeys', scope: 'read:keys' },
    ],
  },
  {
    title: 'apps',
    items: [
      { to: '/clients', icon: 'app-window', title: 'clients', scope: 'read:clients' },
      { to: '/resources', icon: 'braces', title: 'resources', scope: 'read:clients' },
      {
        to: '/registration-tokens',
        icon: 'ticket',
        title: 'registrationTokens',
        scope: 'read:clients',
      },
      { to: '/webhooks', icon: 'webhook', title: 'webhooks', scope: 'read:webhooks' },
      { to: '/providers', icon: 'log-in', title: 'providers', scope: 'read:tenant' },
    ],
  },
  {
    title: 'lookAndWords',
    items: [
      { to: '/branding', icon: 'palette', title: 'branding', scope: 'read:tenant' },
      { to: '/texts', icon: 'languages', title: 'texts', scope: 'read:tenant' },
      { to: '/messages', icon: 'mail', title: 'messages', scope: 'read:tenant' },
    ],
  },
  {
    title: 'evidence',
    items: [
      { to: '/audit', icon: 'scroll-text', title: 'audit', scope: 'read:audit' },
      { to: '/events', icon: 'radio', title: 'events', scope: 'read:events' },
      { to: '/activity', icon: 'chart-column', title: 'activity', scope: 'read:audit' },
    ],
  },
  {
    title: 'tenant',
    items: [{ to: '/settings', icon: 'settings', title: 'settings', scope: 'read:tenant' }],
  },
  {
    title: 'installation',
    items: [
      { to: '/tenants', icon: 'building-2', title: 'tenants', isOfSystem: true },
      { to: '/installation', icon: 'server', title: 'installation', isOfSystem: true },
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

function NavItem({ item: { to, title, icon } }: { readonly item: Item }) {
  const { say } = useTexts();
  const tenant = useTenant();
  const { pathname } = useLocation();
  const here = pathname.slice(`/t/${tenant}`.length) || '/';
  const isCurrent = to === '/' ? here === '/' : here === to || here.startsWith(`${to}/`);
  return (
    <li>
      <Place to={to} isCurrent={isCurrent}>
        <Icon name={icon} />
        {say(title)}
      </Place>
    </li>
  );
}
