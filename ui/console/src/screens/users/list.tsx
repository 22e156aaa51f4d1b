import { useCall } from '../../api/queries.ts';
import { Page } from '../../parts/page.tsx';
import type { Filter } from '../../parts/table/column.ts';
import type { Bulk } from '../../parts/table/selection.ts';
import { Table } from '../../parts/table/table.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import type { User } from '@keywright/sdk';
import { CreateLink } from '../shared/create-link.tsx';
import { USER_COLUMNS } from '../shared/user-columns.tsx';
import { BulkBar } from './bulk.tsx';
import { nameOfUser } from '../../api/users.ts';

const ORDER: Filter = {
  name: 'sort',
  label: 'sort',
  usual: 'newestFirst',
  choices: ['created_at', 'identifier', '-identifier'],
  words: { created_at: 'oldestFirst', identifier: 'fromAToZ', '-identifier': 'fromZToA' },
};

const BOOLEAN = ['true', 'false'];

const STATES: readonly Filter[] = [
  {
    name: 'is_active',
    label: 'state',
    choices: BOOLEAN,
    words: { true: 'active', false: 'inactive' },
  },
  {
    name: 'is_verified',
    label: 'identifier',
    choices: BOOLEAN,
    words: { true: 'verified', false: 'unverified' },
  },
  {
    name: 'has_logged_in',
    label: 'hasLoggedIn',
    choices: BOOLEAN,
    words: { true: 'onceLoggedIn', false: 'neverLoggedIn' },
  },
  { name: 'last_login_before', label: 'lastLoginBefore', isMoment: true },
];

const BULK: Bulk<User> = {
  nameOf: nameOfUser,
  bar: (users, forget) => <BulkBar users={users} forget={forget} />,
};

export function UserList() {
  const { say } = useTexts();
  return (
    <Page
      title={say('users')}
      actions={
        <>
          <CreateLink
            scope="write:users"
            to="/users/import"
            title="importUsers"
            kind="plain"
            icon="upload"
          />
          <CreateLink scope="write:users" to="/users/new" title="userCreate" />
        </>
      }
    >
      <Table
        route="users.list"
        icon="users"
        label={say('users')}
        columns={USER_COLUMNS}
        hasColumnChoice
        bulk={BULK}
        keyOf={({ id }) => id}
        filters={[
          { name: 'email', label: 'searchEmail' },
          { name: 'role', label: 'filterRole', choices: useRoleNames(), words: 'raw' },
          ...STATES,
          ORDER,
        ]}
        empty={<p>{say('usersEmpty')}</p>}
      />
    </Page>
  );
}

/** Returns the names of the first hundred roles. Callers who cannot read roles can still filter through the URL. */
function useRoleNames(): readonly string[] {
  const tenant = useTenant();
  const { can, isLoaded } = useCaller();
  const isAllowed = isLoaded && can('read:roles');
  const roles = useCall(tenant, 'roles.list', { query: { limit: 100 } }, isAllowed);
  return roles.data?.items.map(({ name }) => name) ?? [];
}
