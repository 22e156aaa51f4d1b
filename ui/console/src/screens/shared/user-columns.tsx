import type { User } from '@keywright/sdk';
import { Address } from '../../parts/address.tsx';
import { Avatar } from '../../parts/avatar.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { ActiveState } from '../../parts/state.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Time } from '../../parts/time.tsx';
import { nameOfUser } from '../../api/users.ts';

const MOST_ROLES = 3;

/** Administrators stand out. */
const toneOfRole = (role: string) => (role.endsWith('admin') ? 'brass' : undefined);

export const USER_COLUMNS: readonly Column<User>[] = [
  {
    title: 'identifier',
    cell: (user) => (
      <Place to={`/users/${user.id}`} className="who">
        <Avatar id={user.id} name={nameOfUser(user)} />
        <Address text={nameOfUser(user)} />
      </Place>
    ),
  },
  { title: 'state', cell: (user) => <ActiveState isActive={user.is_active} /> },
  {
    title: 'roles',
    cell: (user) => <Scopes scopes={user.roles} most={MOST_ROLES} toneOf={toneOfRole} />,
  },
  { title: 'workspaces', cell: (user) => <Scopes scopes={user.workspaces} most={2} /> },
  { title: 'created', cell: (user) => <Time at={user.created_at} /> },
];
