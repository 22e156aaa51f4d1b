import type { User } from '@keywright/sdk';
import { use } from 'react';
import { nameOfUser } from '../../api/users.ts';
import { Person } from '../../parts/person.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { State } from '../../parts/state.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Time } from '../../parts/time.tsx';
import { UserNames } from '../../parts/user-name.tsx';
import { useTexts } from '../../texts/texts.tsx';

const MOST_ROLES = 2;

/** Administrators stand out. */
const toneOfRole = (role: string) => (role.endsWith('admin') ? 'brass' : undefined);

export const USER_COLUMNS: readonly Column<User>[] = [
  {
    title: 'user',
    sort: 'name',
    isPerson: true,
    cell: (user) => (
      <Place to={`/users/${user.id}`} className="who">
        <Person
          id={user.id}
          name={nameOfUser(user)}
          about={user.identifiers[0]?.identifier}
          picture={user.picture}
        />
      </Place>
    ),
  },
  { title: 'state', cell: (user) => <UserState user={user} /> },
  {
    title: 'roles',
    cell: (user) => <Scopes scopes={user.roles} most={MOST_ROLES} toneOf={toneOfRole} />,
  },
  { title: 'workspaces', cell: ({ workspaces }) => <Workspaces ids={workspaces} /> },
  {
    title: 'lastActive',
    sort: 'last_login_at',
    cell: ({ last_login_at: at }) => <Time at={at} />,
  },
  { title: 'created', sort: 'created_at', cell: ({ created_at: at }) => <Time at={at} /> },
];

function UserState({ user: { is_active: isActive, last_login_at: at } }: { readonly user: User }) {
  const { say } = useTexts();
  if (!isActive) return <State word={say('userDisabled')} tone="plain" />;
  if (at === null) return <State word={say('neverLoggedIn')} tone="warn" />;
  return <State word={say('active')} tone="ok" />;
}

function Workspaces({ ids }: { readonly ids: readonly string[] }) {
  const names = use(UserNames);
  return <Scopes scopes={ids.map((id) => names.get(id) ?? id)} most={2} />;
}
