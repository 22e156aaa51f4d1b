import type { OAuthClient } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api/queries.ts';
import { clientUpdate } from '../../generated/facts.ts';
import { Action } from '../../parts/action.tsx';
import { ListCounts } from '../../parts/list-counts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { ActiveState } from '../../parts/state.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { ChangeCard } from '../shared/change-card.tsx';
import { SessionTable } from '../shared/session-table.tsx';
import { ClientCode } from './code.tsx';
import { ClientConsents } from './consents.tsx';
import { CLIENT_GROUPS } from './groups.ts';
import { ClientLogouts } from './logouts.tsx';
import { placeOfClient } from './place.ts';
import { ClientProperties } from './properties.tsx';
import { RedirectCard } from './redirect-card.tsx';
import { ClientSecrets } from './secrets.tsx';
import { ClientStreams } from './streams.tsx';
import { TrySignIn } from './try.tsx';

const TABS = [
  { id: '', title: 'properties' },
  { id: 'code', title: 'clientCode' },
  { id: 'consents', title: 'allowedBy' },
  { id: 'sessions', title: 'sessions' },
  { id: 'secrets', title: 'secrets' },
  { id: 'change', title: 'change' },
  { id: 'logouts', title: 'logouts' },
  { id: 'streams', title: 'streams' },
  { id: 'audit', title: 'audit' },
] as const;

export function ClientDetail() {
  const { say } = useTexts();
  const id = useParam('id');
  const query = useCall(useTenant(), 'clients.get', { params: { client_id: id } });
  return (
    <Loaded query={query} route="clients.get" isScreen>
      {(client) => (
        <Page
          title={client.name}
          about={<ActiveState isActive={client.is_active} />}
          actions={
            <>
              <TrySignIn client={client} />
              <Deletion client={client} />
            </>
          }
          from={{ to: '/clients', title: say('clients') }}
        >
          <Tabs label={client.name} path={placeOfClient(id)} tabs={TABS} />
          <Open client={client} />
        </Page>
      )}
    </Loaded>
  );
}

interface Props {
  readonly client: OAuthClient;
}

function Open({ client }: Props) {
  switch (useTab()) {
    case 'code':
      return <ClientCode client={client} />;
    case 'consents':
      return <ClientConsents clientId={client.id} />;
    case 'sessions':
      return <SessionTable fixed={{ client_id: client.id }} />;
    case 'secrets':
      return <ClientSecrets client={client} />;
    case 'change':
      return <Changes client={client} />;
    case 'logouts':
      return <ClientLogouts clientId={client.id} />;
    case 'streams':
      return <ClientStreams clientId={client.id} />;
    case 'audit':
      return <AuditTable fixed={{ target: client.id }} />;
    default:
      return (
        <div className="stack">
          <ClientProperties client={client} />
          <RedirectCard client={client} />
        </div>
      );
  }
}

function Changes({ client }: Props) {
  const { say } = useTexts();
  return (
    <ChangeCard
      route="clients.update"
      scope="write:clients"
      facts={clientUpdate}
      sections={CLIENT_GROUPS.map(({ title, fields }) => ({ title: say(title), fields }))}
      params={{ client_id: client.id }}
      present={client}
    />
  );
}

function Deletion({ client: { id, name } }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const tenant = useTenant();
  const navigate = useNavigate();
  if (!can('delete:clients')) return null;
  return (
    <Action
      route="clients.delete"
      input={{ params: { client_id: id } }}
      icon="trash-2"
      verb={say('delete')}
      title={say('deleteTitle', { name })}
      typed={name}
      done={say('deleted', { name })}
      then={() => void navigate({ to: `/t/${tenant}/clients` })}
    >
      <p>{say('deleteClientHint')}</p>
      <ListCounts
        lists={[
          { title: 'allowedBy', route: 'consents.list', query: { client_id: id } },
          {
            title: 'liveSessions',
            route: 'sessions.list',
            query: { client_id: id, is_active: true },
          },
        ]}
      />
    </Action>
  );
}
