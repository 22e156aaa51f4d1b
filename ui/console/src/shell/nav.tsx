import { useEffect, useRef } from 'react';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Place } from '../parts/place.tsx';
import { Tooltip } from '../parts/tooltip.tsx';
import type { TextKey } from '../texts/locales.ts';
import { useTexts } from '../texts/texts.tsx';
import { usePath } from '../url/params.ts';
import { useCaller } from './caller.tsx';
import { useUrgent } from './urgent.ts';

interface Item {
  readonly to: string;
  readonly icon: IconName;
  readonly title: TextKey;
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
    title: 'clients',
    items: [
      { to: '/clients', icon: 'app-window', title: 'clients', scope: 'read:clients' },
      { to: '/resources', icon: 'braces', title: 'resources', scope: 'read:clients' },
      { to: '/agents', icon: 'bot', title: 'agentsAndKeys', scope: 'read:agents' },
      { to: '/webhooks', icon: 'webhook', title: 'webhooks', scope: 'read:webhooks' },
    ],
  },
  {
    title: 'access',
    items: [
      { to: '/roles', icon: 'shield', title: 'roles', scope: 'read:roles' },
      { to: '/workspaces', icon: 'boxes', title: 'workspaces', scope: 'read:workspaces' },
      { to: '/access-check', icon: 'route', title: 'accessCheck', scope: 'read:audit' },
    ],
  },
  {
    title: 'signInGroup',
    items: [
      { to: '/methods', icon: 'fingerprint-pattern', title: 'methods', scope: 'read:tenant' },
      { to: '/providers', icon: 'log-in', title: 'providers', scope: 'read:tenant' },
      { to: '/branding', icon: 'palette', title: 'branding', scope: 'read:tenant' },
      { to: '/texts', icon: 'languages', title: 'texts', scope: 'read:tenant' },
      { to: '/messages', icon: 'mail', title: 'messages', scope: 'read:tenant' },
    ],
  },
  {
    title: 'monitor',
    items: [
      { to: '/audit', icon: 'scroll-text', title: 'audit', scope: 'read:audit' },
      { to: '/events', icon: 'radio', title: 'liveEvents', scope: 'read:events' },
      { to: '/usage', icon: 'chart-column', title: 'usage', scope: 'read:audit' },
    ],
  },
  {
    title: 'settings',
    items: [
      { to: '/settings', icon: 'settings', title: 'general', scope: 'read:tenant' },
      { to: '/settings/domains', icon: 'globe', title: 'domains', scope: 'read:tenant' },
      { to: '/settings/tokens', icon: 'clock', title: 'sessionsAndTokens', scope: 'read:tenant' },
      { to: '/keys', icon: 'key-round', title: 'signingKeys', scope: 'read:keys' },
      { to: '/settings/claims', icon: 'tag', title: 'group.claims', scope: 'read:tenant' },
      { to: '/settings/limits', icon: 'gauge', title: 'group.limits', scope: 'read:tenant' },
    ],
  },
  {
    title: 'system',
    items: [
      { to: '/tenants', icon: 'building-2', title: 'tenants', isOfSystem: true },
      { to: '/installation', icon: 'server', title: 'installation', isOfSystem: true },
    ],
  },
];

const MOST_SHOWN = 99;
const ITEMS = GROUPS.flatMap(({ items }) => items);

/** Returns the item whose screens include this path below the tenant. */
export function itemOf(path: string): Item | undefined {
  const found = ITEMS.filter(({ to }) => path === to || (to !== '/' && path.startsWith(`${to}/`)));
  // The settings start with the same path.
  return found.toSorted((first, second) => second.to.length - first.to.length)[0];
}

interface NavProps {
  /** Whether only icons are visible. */
  readonly isNarrow?: boolean;
}

/** Links to the screens that the caller can read. */
export function Nav({ isNarrow = false }: NavProps) {
  const { say } = useTexts();
  const isShown = useIsShown();
  const urgent = useUrgent();
  return (
    <div className="nav">
      {GROUPS.map(({ title, items }) => {
        const shown = items.filter(isShown);
        if (shown.length === 0) return null;
        return (
          <section key={title ?? ''}>
            {title && <h2>{say(title)}</h2>}
            <ul>
              {shown.map((item) => (
                <NavItem
                  key={item.to}
                  item={item}
                  isNarrow={isNarrow}
                  count={urgent.get(item.to) ?? 0}
                />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

/** Returns whether the caller can read a screen. */
export function useIsShown(): (item: Pick<Item, 'scope' | 'isOfSystem'>) => boolean {
  const { can, isLoaded, isSystemAdministrator } = useCaller();
  return ({ scope, isOfSystem = false }) =>
    (scope === undefined || (isLoaded && can(scope))) && (!isOfSystem || isSystemAdministrator);
}

interface ItemProps {
  readonly item: Item;
  readonly isNarrow: boolean;
  /** How many records need attention. */
  readonly count: number;
}

function NavItem({ item: { to, title, icon }, isNarrow, count }: ItemProps) {
  const { say, number } = useTexts();
  const isCurrent = itemOf(usePath())?.to === to;
  const line = useRef<HTMLLIElement>(null);
  // On a low window, the rail scrolls to the screen that is open.
  useEffect(() => {
    if (isCurrent) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const link = (rest: object) => (
    <Place to={to} isCurrent={isCurrent} rest={rest}>
      <Icon name={icon} />
      <span>{say(title)}</span>
      {count > 0 && (
        <>
          <span className="count" aria-hidden="true">
            {count > MOST_SHOWN ? `${number(MOST_SHOWN)}+` : number(count)}
          </span>
          <span className="unseen">{say('attention')}</span>
        </>
      )}
    </Place>
  );
  return (
    <li ref={line}>
      {isNarrow ? (
        <Tooltip text={say(title)} side="inline-end">
          {link}
        </Tooltip>
      ) : (
        link({})
      )}
    </li>
  );
}
