import type { User } from '@keywright/sdk';
import { nameOfUser } from '../../api/users.ts';
import { Page } from '../../parts/page.tsx';
import type { Filter, View } from '../../parts/table/column.ts';
import { ExportLines } from '../../parts/table/export-lines.tsx';
import type { RowActions } from '../../parts/table/row-menu.tsx';
import type { Bulk } from '../../parts/table/selection.ts';
import { Table } from '../../parts/table/table.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { CreateLink } from '../shared/create-link.tsx';
import { USER_COLUMNS } from '../shared/user-columns.tsx';
import { EndSessions, moreUserActions } from './actions.tsx';
import { BulkBar } from './bulk.tsx';

const BOOLEAN = ['true', 'false'];
const SEARCH = { name: 'search', label: 'searchUsers' } as const;

const FILTERS: readonly Filter[] = [
  { name: 'role', label: 'filterRole', of: 'roles', isOpen: true },
  { name: 'workspace_id', label: 'workspace', of: 'workspaces' },
  {
    name: 'is_active',
    label: 'state',
    choices: BOOLEAN,
    words: { true: 'active', false: 'userDisabled' },
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
  { name: 'email', label: 'email' },
];

const VIEWS: readonly View[] = [
  { title: 'viewAll', filters: {} },
  { title: 'active', filters: { is_active: 'true' } },
  { title: 'neverLoggedIn', filters: { has_logged_in: 'false' } },
  { title: 'userDisabled', filters: { is_active: 'false' } },
  { title: 'administrators', filters: { role: 'admin' } },
];

const BULK: Bulk<User> = {
  nameOf: nameOfUser,
  bar: (users, forget) => <BulkBar users={users} forget={forget} />,
};

const ACTIONS: RowActions<User> = {
  nameOf: nameOfUser,
  items: (user) => <UserMenu user={user} />,
};

const idOf = ({ id }: User) => id;

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
          <CreateLink
            scope="write:users"
            to="/invitations/new"
            title="invite"
            kind="plain"
            icon="mail-plus"
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
        usual="-last_login_at"
        hasColumnChoice
        tools={<ExportLines route="users.export" of="users" filters={[SEARCH, ...FILTERS]} />}
        bulk={BULK}
        actions={ACTIONS}
        keyOf={idOf}
        search={SEARCH}
        filters={FILTERS}
        views={VIEWS}
        usersIn={({ workspaces }) => workspaces}
        emptyTitle={say('usersEmptyTitle')}
        start={<CreateLink scope="write:users" to="/users/new" title="userCreate" kind="plain" />}
        guide="invite-people"
        empty={<p>{say('usersEmpty')}</p>}
      />
    </Page>
  );
}

function UserMenu({ user }: { readonly user: User }) {
  const { can } = useCaller();
  return (
    <>
      {can('delete:sessions') && <EndSessions user={user} />}
      {moreUserActions({ user, can })}
    </>
  );
}
