import type { OAuthClient } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api/queries.ts';
import { clientUpdate } from '../../generated/facts.ts';
import { Action } from '../../parts/action.tsx';
import { Avatar } from '../../parts/avatar.tsx';
import { classesOf } from '../../parts/button.tsx';
import { Id } from '../../parts/id.tsx';
import { ListCounts } from '../../parts/list-counts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { ActiveState } from '../../parts/state.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { DangerZone } from '../shared/danger-zone.tsx';
import { EditCard } from '../shared/edit-card.tsx';
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
  { id: '', title: 'overview' },
  { id: 'code', title: 'clientCode' },
  { id: 'security', title: 'security' },
  { id: 'consents', title: 'users' },
  { id: 'activity', title: 'history' },
] as const;
/** The lists of a tab that has several. */
const PEOPLE = [
  { id: 'consents', title: 'allowedBy' },
  { id: 'sessions', title: 'sessions' },
] as const;
const EVENTS = [
  { id: 'activity', title: 'audit' },
  { id: 'logouts', title: 'logouts' },
  { id: 'streams', title: 'streams' },
] as const;
const LISTS: readonly (readonly { readonly id: string }[])[] = [PEOPLE, EVENTS];

export function ClientDetail() {
  const { say } = useTexts();
  const { can } = useCaller();
  const id = useParam('id');
  const open = useTab();
  const [list] = LISTS.find((tabs) => tabs.some((tab) => tab.id === open)) ?? [];
  const query = useCall(useTenant(), 'clients.get', { params: { client_id: id } });
  return (
    <Loaded query={query} route="clients.get" isScreen>
      {(client) => (
        <Page
          title={client.name}
          avatar={<Avatar id={client.id} name={client.name} isSquare />}
          state={<ActiveState isActive={client.is_active} />}
          about={
            <span className="id">
              {say('clientId')} <Id id={client.id} canCopy />
            </span>
          }
          actions={
            <>
              <Place to="/branding" search={{ client: client.id }} className={classesOf('plain')}>
                {say('branding')}
              </Place>
              <TrySignIn client={client} />
            </>
          }
          more={can('delete:clients') && <Deletion client={client} />}
          from={{ to: '/clients', title: say('clients') }}
        >
          <Tabs
            label={client.name}
            path={placeOfClient(id)}
            tabs={TABS}
            {...(list && { current: list.id })}
          />
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
  const { say } = useTexts();
  const path = placeOfClient(client.id);
  const people = <Tabs isMinor label={say('users')} path={path} tabs={PEOPLE} />;
  const events = <Tabs isMinor label={say('history')} path={path} tabs={EVENTS} />;
  switch (useTab()) {
    case 'code':
      return <ClientCode client={client} />;
    case 'security':
      return <ClientSecurity client={client} />;
    case 'consents':
      return (
        <>
          {people}
          <ClientConsents clientId={client.id} />
        </>
      );
    case 'sessions':
      return (
        <>
          {people}
          <SessionTable fixed={{ client_id: client.id }} />
        </>
      );
    case 'activity':
      return (
        <>
          {events}
          <AuditTable fixed={{ target: client.id }} />
        </>
      );
    case 'logouts':
      return (
        <>
          {events}
          <ClientLogouts clientId={client.id} />
        </>
      );
    case 'streams':
      return (
        <>
          {events}
          <ClientStreams clientId={client.id} />
        </>
      );
    default:
      return <Overview client={client} />;
  }
}

function Overview({ client }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const deletion = {
    title: say('delete'),
    about: say('deleteClientHint'),
    action: <Deletion client={client} />,
  };
  return (
    <div className="stack">
      <ClientProperties client={client} />
      <RedirectCard client={client} />
      <DangerZone dangers={can('delete:clients') ? [deletion] : []} />
    </div>
  );
}

/** The secrets of the client, the rules that protect it, and its rare fields. */
function ClientSecurity({ client }: Props) {
  const { say } = useTexts();
  const [, ...groups] = CLIENT_GROUPS;
  return (
    <div className="stack">
      <ClientSecrets client={client} />
      {groups.map(({ title, fields }) => (
        <EditCard
          key={title}
          title={say(title)}
          route="clients.update"
          scope="write:clients"
          facts={clientUpdate}
          fields={fields}
          params={{ client_id: client.id }}
          present={client}
        />
      ))}
    </div>
  );
}

function Deletion({ client: { id, name } }: Props) {
  const { say } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
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
