import type { Workspace } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api/queries.ts';
import { workspaceUpdate } from '../../generated/facts.ts';
import { Action } from '../../parts/action.tsx';
import { Avatar } from '../../parts/avatar.tsx';
import { Id } from '../../parts/id.tsx';
import { ListCounts } from '../../parts/list-counts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, WithRail } from '../../parts/page.tsx';
import { ActiveState } from '../../parts/state.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { type Caller, useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { DangerZone } from '../shared/danger-zone.tsx';
import { EditCard } from '../shared/edit-card.tsx';
import { DEFAULT_WORKSPACE } from './default.ts';
import { MemberTable } from './members.tsx';

const TABS = [
  { id: '', title: 'members' },
  { id: 'activity', title: 'history' },
] as const;
/** The default workspace is always active. */
const NAME = ['name'];

export function WorkspaceDetail() {
  const { say } = useTexts();
  const { can } = useCaller();
  const id = useParam('id');
  const query = useCall(useTenant(), 'workspaces.get', { params: { workspace_id: id } });
  return (
    <Loaded query={query} route="workspaces.get" isScreen>
      {(workspace) => (
        <Page
          title={workspace.name}
          avatar={<Avatar id={workspace.id} name={workspace.name} isSquare />}
          state={<ActiveState isActive={workspace.is_active} />}
          more={canDelete(workspace, can) && <Deletion workspace={workspace} />}
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
  if (useTab() === 'activity') return <AuditTable fixed={{ target: workspace.id }} />;
  return (
    <WithRail
      rail={
        <>
          <Details workspace={workspace} />
          <Dangers workspace={workspace} />
        </>
      }
    >
      <MemberTable workspaceId={workspace.id} />
    </WithRail>
  );
}

function Details({ workspace }: Props) {
  const { say } = useTexts();
  return (
    <EditCard
      title={say('details')}
      route="workspaces.update"
      scope="write:workspaces"
      facts={workspaceUpdate}
      {...(workspace.id === DEFAULT_WORKSPACE && { fields: NAME })}
      params={{ workspace_id: workspace.id }}
      present={workspace}
      rows={[
        [say('id'), <Id key="id" id={workspace.id} canCopy />],
        [say('created'), <Time key="created" at={workspace.created_at} isWhole />],
      ]}
      isNarrow
    />
  );
}

function canDelete({ id }: Workspace, can: Caller['can']): boolean {
  return id !== DEFAULT_WORKSPACE && can('delete:workspaces');
}

function Dangers({ workspace }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!canDelete(workspace, can)) return null;
  return (
    <DangerZone
      dangers={[
        {
          title: say('delete'),
          about: say('deleteWorkspaceHint'),
          action: <Deletion workspace={workspace} />,
        },
      ]}
    />
  );
}

function Deletion({ workspace: { id, name } }: Props) {
  const { say } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
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
