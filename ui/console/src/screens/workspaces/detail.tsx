import type { Workspace } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api/queries.ts';
import { workspaceUpdate } from '../../generated/facts.ts';
import { Action } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Id } from '../../parts/id.tsx';
import { ListCounts } from '../../parts/list-counts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { ActiveState } from '../../parts/state.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { ChangeCard } from '../shared/change-card.tsx';
import { DEFAULT_WORKSPACE } from './default.ts';
import { MemberTable } from './members.tsx';

const TABS = [
  { id: '', title: 'members' },
  { id: 'properties', title: 'properties' },
  { id: 'audit', title: 'audit' },
] as const;

export function WorkspaceDetail() {
  const { say } = useTexts();
  const id = useParam('id');
  const query = useCall(useTenant(), 'workspaces.get', { params: { workspace_id: id } });
  return (
    <Loaded query={query} route="workspaces.get" isScreen>
      {(workspace) => (
        <Page
          title={workspace.name}
          about={<ActiveState isActive={workspace.is_active} />}
          actions={<Deletion workspace={workspace} />}
          from={{ to: '/workspaces', title: say('workspaces') }}
        >
          <Tabs label={workspace.name} path={`/workspaces/${id}`} tabs={TABS} />
          <Open workspace={workspace} />
        </Page>
      )}
    </Loaded>
  );
}

interface Props {
  readonly workspace: Workspace;
}

function Open({ workspace }: Props) {
  switch (useTab()) {
    case 'properties':
      return <Properties workspace={workspace} />;
    case 'audit':
      return <AuditTable fixed={{ target: workspace.id }} />;
    default:
      return <MemberTable workspaceId={workspace.id} />;
  }
}

function Properties({ workspace }: Props) {
  const { say } = useTexts();
  return (
    <div className="stack">
      <Card title={say('properties')}>
        <Facts
          rows={[
            [say('id'), <Id key="id" id={workspace.id} canCopy />],
            [say('created'), <Time key="created" at={workspace.created_at} isWhole />],
          ]}
        />
      </Card>
      <ChangeCard
        route="workspaces.update"
        scope="write:workspaces"
        facts={workspaceUpdate}
        params={{ workspace_id: workspace.id }}
        present={workspace}
      />
    </div>
  );
}

function Deletion({ workspace: { id, name } }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const tenant = useTenant();
  const navigate = useNavigate();
  if (id === DEFAULT_WORKSPACE || !can('delete:workspaces')) return null;
  return (
    <Action
      route="workspaces.delete"
      input={{ params: { workspace_id: id }, query: { force: true } }}
      icon="trash-2"
      verb={say('delete')}
      title={say('deleteTitle', { name })}
      typed={name}
      done={say('deleted', { name })}
      then={() => void navigate({ to: `/t/${tenant}/workspaces` })}
    >
      <p>{say('deleteWorkspaceHint')}</p>
      <ListCounts
        lists={[
          { title: 'members', route: 'workspaces.list_members', params: { workspace_id: id } },
          { title: 'agents', route: 'agents.list', query: { workspace_id: id } },
        ]}
      />
    </Action>
  );
}
