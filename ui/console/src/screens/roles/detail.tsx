import type { Role } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api/queries.ts';
import { roleUpdate } from '../../generated/facts.ts';
import { Action } from '../../parts/action.tsx';
import { ListCounts } from '../../parts/list-counts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Tag } from '../../parts/state.tsx';
import { Table } from '../../parts/table/table.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { DangerZone } from '../shared/danger-zone.tsx';
import { EditCard } from '../shared/edit-card.tsx';
import { USER_COLUMNS } from '../shared/user-columns.tsx';
import { YouNote } from '../shared/you-note.tsx';
import { WhatIf } from './what-if.tsx';

const TABS = [
  { id: '', title: 'permissions' },
  { id: 'holders', title: 'holders' },
  { id: 'activity', title: 'history' },
] as const;

export function RoleDetail() {
  const { say } = useTexts();
  const { can } = useCaller();
  const name = useParam('id');
  const query = useCall(useTenant(), 'roles.get', { params: { role: name } });
  return (
    <Loaded query={query} route="roles.get" isScreen>
      {(role) => (
        <Page
          title={role.name}
          about={role.is_builtin ? say('builtInHint') : role.description}
          state={role.is_builtin && <Tag>{say('builtIn')}</Tag>}
          more={!role.is_builtin && can('delete:roles') && <Deletion role={role} />}
          from={{ to: '/roles', title: say('roles') }}
        >
          <Tabs label={role.name} path={`/roles/${name}`} tabs={TABS} />
          <Open role={role} />
        </Page>
      )}
    </Loaded>
  );
}

interface Props {
  readonly role: Role;
}

function Open({ role }: Props) {
  switch (useTab()) {
    case 'holders':
      return <Holders role={role} />;
    case 'activity':
      return <AuditTable fixed={{ target: role.name }} />;
    default:
      return <Permissions role={role} />;
  }
}

/** Shows users only, because agents have their own scopes. */
function Holders({ role }: Props) {
  const { say } = useTexts();
  return (
    <Table
      route="users.list"
      icon="users"
      label={say('holders')}
      columns={USER_COLUMNS}
      usersIn={({ workspaces }) => workspaces}
      keyOf={({ id }) => id}
      fixed={{ role: role.name }}
      empty={<p>{say('whatIfNobody')}</p>}
    />
  );
}

function Permissions({ role }: Props) {
  const { say } = useTexts();
  return (
    <div className="stack">
      <EditCard
        title={say('permissions')}
        route="roles.update"
        scope="write:roles"
        facts={roleUpdate}
        params={{ role: role.name }}
        present={role}
        rows={[[say('created'), <Time key="created" at={role.created_at} isWhole />]]}
        isFixed={role.is_builtin}
        preview={({ scopes }) =>
          Array.isArray(scopes) && <WhatIf role={role} scopes={scopes.map(String)} />
        }
      />
      <Dangers role={role} />
    </div>
  );
}

function Dangers({ role }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (role.is_builtin || !can('delete:roles')) return null;
  return (
    <DangerZone
      dangers={[
        {
          title: say('delete'),
          about: say('deleteRoleHint'),
          action: <Deletion role={role} />,
        },
      ]}
    />
  );
}

function Deletion({ role: { name } }: Props) {
  const { say } = useTexts();
  const { roles } = useCaller();
  const tenant = useTenant();
  const navigate = useNavigate();
  return (
    <Action
      route="roles.delete"
      input={{ params: { role: name }, query: { force: true } }}
      icon="trash-2"
      verb={say('delete')}
      title={say('deleteTitle', { name })}
      typed={name}
      done={say('deleted', { name })}
      then={() => void navigate({ to: `/t/${tenant}/roles` })}
    >
      {roles.includes(name) && <YouNote text="youLosePermissions" />}
      <p>{say('deleteRoleHint')}</p>
      <ListCounts lists={[{ title: 'users', route: 'users.list', query: { role: name } }]} />
    </Action>
  );
}
