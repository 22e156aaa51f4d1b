import type { Session } from '@keywright/sdk';
import { use } from 'react';
import { Action } from '../../parts/action.tsx';
import { Place } from '../../parts/place.tsx';
import { State } from '../../parts/state.tsx';
import type { Column, Filter, View } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { UserNames } from '../../parts/user-name.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { placeOfClient } from '../clients/place.ts';
import { deviceOf } from './device.ts';
import { DeviceName, SessionLine } from './session-line.tsx';
import { Subject } from './subject.tsx';

const DEVICE: Column<Session> = {
  title: 'device',
  cell: ({ device_info: { user_agent: agent, ip_address: address } }) => (
    <>
      <DeviceName agent={agent} /> <bdi className="mono muted">{address}</bdi>
    </>
  ),
};
const USER: Column<Session> = {
  title: 'user',
  isPerson: true,
  cell: ({ user_id: id }) => <Subject id={id} hasFace />,
};
const REST: readonly Column<Session>[] = [
  { title: 'state', cell: ({ is_active: isActive }) => <SessionState isActive={isActive} /> },
  { title: 'kind', cell: (session) => <Kind session={session} /> },
  { title: 'loggedIn', cell: ({ auth_time: at }) => <Time at={at} /> },
  { title: 'expires', cell: ({ expires_at: at }) => <Time at={at} /> },
];

const FILTERS: readonly Filter[] = [
  {
    name: 'is_active',
    label: 'state',
    choices: ['true', 'false'],
    words: { true: 'sessionLive', false: 'sessionOver' },
  },
];
const BY_ID: readonly Filter[] = [
  { name: 'user_id', label: 'user', of: 'users' },
  { name: 'client_id', label: 'application', of: 'clients' },
];

const VIEWS: readonly View[] = [
  { title: 'viewAll', filters: {} },
  { title: 'sessionLive', filters: { is_active: 'true' } },
  { title: 'sessionOver', filters: { is_active: 'false' } },
];

interface Props {
  /** Limits the sessions to one user, who is then not named again, or to one OAuth client. */
  readonly fixed?: { readonly user_id: string } | { readonly client_id: string };
}

/** Shows the sessions of all users, or of one user or client. */
export function SessionTable({ fixed }: Props) {
  const { say } = useTexts();
  const isOfUser = fixed !== undefined && 'user_id' in fixed;
  return (
    <Table
      route="sessions.list"
      icon="monitor-smartphone"
      label={say('sessions')}
      columns={isOfUser ? [DEVICE, ...REST] : [USER, DEVICE, ...REST]}
      keyOf={({ id }) => id}
      filters={fixed ? FILTERS : [...FILTERS, ...BY_ID]}
      {...(!fixed && { views: VIEWS })}
      actions={{
        nameOf: ({ device_info: { user_agent: agent } }) =>
          agent?.trim() ? deviceOf(agent, say) : say('unknownDevice'),
        items: (session) => <EndSession session={session} />,
      }}
      {...(fixed && { fixed })}
      usersIn={({ user_id: user, client_id: client }) => [user, client]}
      guide="sessions"
      empty={<p>{say('sessionsEmpty')}</p>}
    />
  );
}

function SessionState({ isActive }: { readonly isActive: boolean }) {
  const { say } = useTexts();
  return (
    <State word={say(isActive ? 'sessionLive' : 'sessionOver')} tone={isActive ? 'ok' : 'plain'} />
  );
}

function Kind({ session: { kind, client_id: clientId } }: { readonly session: Session }) {
  const { say } = useTexts();
  const names = use(UserNames);
  if (clientId === null) return say(`session.${kind}`);
  return (
    <Place to={placeOfClient(clientId)}>
      <bdi>{names.get(clientId) ?? say(`session.${kind}`)}</bdi>
    </Place>
  );
}

/** Ends a session, for callers who are allowed to. */
export function EndSession({ session }: { readonly session: Session }) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!session.is_active || !can('delete:sessions')) return null;
  return (
    <Action
      route="sessions.delete"
      input={{ params: { session_id: session.id } }}
      icon="log-out"
      verb={say('endSession')}
      title={say('endSessionTitle')}
      done={say('sessionEndedDone')}
      isSmall
    >
      <ul className="lines">
        <li>
          <SessionLine session={session} />
        </li>
      </ul>
      <p>{say('endSessionHint')}</p>
    </Action>
  );
}
