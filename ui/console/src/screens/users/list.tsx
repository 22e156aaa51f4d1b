import { useCall } from '../../api/queries.ts';
import { Address } from '../../parts/address.tsx';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { ActiveState } from '../../parts/state.tsx';
import type { Column, Filter } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import type { User } from '@keywright/sdk';
import { CreateLink } from '../shared/create-link.tsx';
import { nameOfUser } from './name.ts';

const MOST_ROLES = 3;
const ORDER: Filter = {
  name: 'sort',
  label: 'sort',
  usual: 'newestFirst',
  choices: ['created_at', 'identifier', '-identifier'],
  words: { created_at: 'oldestFirst', identifier: 'fromAToZ', '-identifier': 'fromZToA' },
};

const COLUMNS: readonly Column<User>[] = [
  {
    title: 'identifier',
    cell: (user) => (
      <Place to={`/users/${user.id}`}>
        <Address text={nameOfUser(user)} />
      </Place>
    ),
  },
  { title: 'state', cell: (user) => <ActiveState isActive={user.is_active} /> },
  { title: 'roles', cell: (user) => <Scopes scopes={user.roles} most={MOST_ROLES} /> },
  { title: 'workspaces', cell: (user) => <Scopes scopes={user.workspaces} most={2} /> },
  { title: 'created', cell: (user) => <Time at={user.created_at} /> },
];

export function UserList() {
  const { say } = useTexts();
  return (
    <Page
      title={say('users')}
      actions={
        <>
          <CreateLink scope="write:users" to="/users/import" title="importUsers" kind="plain" />
          <CreateLink scope="write:users" to="/users/new" title="userCreate" />
        </>
      }
    >
      <Table
        route="users.list"
        label={say('users')}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        filters={[
          { name: 'email', label: 'searchEmail' },
          { name: 'role', label: 'filterRole', choices: useRoleNames(), words: 'raw' },
          ORDER,
        ]}
        empty={<p>{say('usersEmpty')}</p>}
      />
    </Page>
  );
}

/** Of the first hundred; who may not read roles can still filter by address. */
function useRoleNames(): readonly string[] {
  const tenant = useTenant();
  const { can, isKnown } = useCaller();
  const isAllowed = isKnown && can('read:roles');
  const roles = useCall(tenant, 'roles.list', { query: { limit: 100 } }, isAllowed);
  return roles.data?.items.map(({ name }) => name) ?? [];
}
