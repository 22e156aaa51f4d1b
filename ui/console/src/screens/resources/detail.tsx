import type { OAuthResource } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api/queries.ts';
import { resourceUpdate } from '../../generated/facts.ts';
import { Action } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Id } from '../../parts/id.tsx';
import { Json } from '../../parts/json.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { formatDuration } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { ChangeCard } from '../shared/change-card.tsx';

const TABS = [
  { id: '', title: 'properties' },
  { id: 'change', title: 'change' },
  { id: 'audit', title: 'audit' },
] as const;

export function ResourceDetail() {
  const { say } = useTexts();
  const id = useParam('id');
  const query = useCall(useTenant(), 'resources.get', { params: { resource_id: id } });
  return (
    <Loaded query={query} route="resources.get" isScreen>
      {(resource) => (
        <Page
          title={resource.name}
          actions={<Deletion resource={resource} />}
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
  switch (useTab()) {
    case 'change':
      return (
        <ChangeCard
          route="resources.update"
          scope="write:clients"
          facts={resourceUpdate}
          params={{ resource_id: resource.id }}
          present={resource}
        />
      );
    case 'audit':
      return <AuditTable fixed={{ target: resource.id }} />;
    default:
      return <Properties resource={resource} />;
  }
}

function Properties({ resource }: Props) {
  const { say, locale } = useTexts();
  const { uri, scopes, token_ttl: lifetime, access_token_signing_alg: algorithm } = resource;
  return (
    <Card title={say('properties')}>
      <Facts
        rows={[
          [say('id'), <Id key="id" id={resource.id} canCopy />],
          [say('resourceUri'), <Id key="uri" id={uri} canCopy />],
          [say('scopes'), <Json key="scopes" value={scopes} label={say('scopes')} />],
          [
            say('field.resource.token_ttl'),
            lifetime === null ? say('usual') : formatDuration(locale, lifetime),
          ],
          [say('algorithm'), algorithm],
          [say('field.resource.access_token_typ'), resource.access_token_typ],
          [say('field.resource.dpop_required'), say(resource.dpop_required ? 'yes' : 'no')],
          [say('created'), <Time key="created" at={resource.created_at} isWhole />],
        ]}
      />
    </Card>
  );
}

function Deletion({ resource: { id, name } }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const tenant = useTenant();
  const navigate = useNavigate();
  if (!can('delete:clients')) return null;
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
