import type { OAuthResource } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api/queries.ts';
import { resourceUpdate } from '../../generated/facts.ts';
import { Action } from '../../parts/action.tsx';
import { Avatar } from '../../parts/avatar.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { DangerZone } from '../shared/danger-zone.tsx';
import { EditCard } from '../shared/edit-card.tsx';

const TABS = [
  { id: '', title: 'overview' },
  { id: 'activity', title: 'history' },
] as const;

export function ResourceDetail() {
  const { say } = useTexts();
  const { can } = useCaller();
  const id = useParam('id');
  const query = useCall(useTenant(), 'resources.get', { params: { resource_id: id } });
  return (
    <Loaded query={query} route="resources.get" isScreen>
      {(resource) => (
        <Page
          title={resource.name}
          avatar={<Avatar id={resource.id} name={resource.name} isSquare />}
          about={
            <span className="id">
              <bdi>{resource.uri}</bdi>
              <Copy text={resource.uri} of={say('resourceUri')} />
            </span>
          }
          more={can('delete:clients') && <Deletion resource={resource} />}
          from={{ to: '/resources', title: say('resources') }}
        >
          <Tabs label={resource.name} path={`/resources/${id}`} tabs={TABS} />
          <Open resource={resource} />
        </Page>
      )}
    </Loaded>
  );
}

interface Props {
  readonly resource: OAuthResource;
}

function Open({ resource }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (useTab() === 'activity') return <AuditTable fixed={{ target: resource.id }} />;
  const deletion = {
    title: say('delete'),
    about: say('resourceDeleteHint'),
    action: <Deletion resource={resource} />,
  };
  return (
    <div className="stack">
      <EditCard
        title={say('details')}
        route="resources.update"
        scope="write:clients"
        facts={resourceUpdate}
        params={{ resource_id: resource.id }}
        present={resource}
        rows={[
          [say('id'), <Id key="id" id={resource.id} canCopy />],
          [say('created'), <Time key="created" at={resource.created_at} isWhole />],
        ]}
      />
      <DangerZone dangers={can('delete:clients') ? [deletion] : []} />
    </div>
  );
}

function Deletion({ resource: { id, name } }: Props) {
  const { say } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  return (
    <Action
      route="resources.delete"
      input={{ params: { resource_id: id } }}
      icon="trash-2"
      verb={say('delete')}
      title={say('deleteTitle', { name })}
      typed={name}
      done={say('deleted', { name })}
      then={() => void navigate({ to: `/t/${tenant}/resources` })}
    >
      <p>{say('resourceDeleteHint')}</p>
    </Action>
  );
}
