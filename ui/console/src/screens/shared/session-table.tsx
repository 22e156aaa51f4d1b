import type { Session } from '@keywright/sdk';
import { Action } from '../../parts/action.tsx';
import { Id } from '../../parts/id.tsx';
import { State } from '../../parts/state.tsx';
import type { Column, Filter } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { deviceOf } from './device.ts';
import { Subject } from './subject.tsx';

const DEVICE: Column<Session> = {
  title: 'device',
  cell: ({ device_info: { user_agent: agent, ip_address: address } }) => (
    <span title={agent ?? undefined}>
      <bdi>{deviceOf(agent)}</bdi> <bdi className="mono muted">{address}</bdi>
    </span>
  ),
};
const USER: Column<Session> = {
  title: 'user',
  cell: ({ user_id: id }) => <Subject id={id} />,
};
const REST: readonly Column<Session>[] = [
  { title: 'state', cell: ({ is_active: isActive }) => <SessionState isActive={isActive} /> },
  { title: 'kind', cell: ({ kind }) => <Kind kind={kind} /> },
  { title: 'loggedIn', cell: ({ auth_time: at }) => <Time at={at} /> },
  { title: 'expires', cell: ({ expires_at: at }) => <Time at={at} /> },
  { title: 'tools', cell: (session) => <End session={session} /> },
];

const FILTERS: readonly Filter[] = [
  { name: 'is_active', label: 'live', choices: ['true', 'false'] },
];
const USER_FILTER: Filter = { name: 'user_id', label: 'userId', isExact: true };

/** Sessions: of everybody, or of one user, who is not named again then. */
export function SessionTable({ fixed }: { readonly fixed?: { readonly user_id: string } }) {
  const { say } = useTexts();
  return (
    <Table
      route="sessions.list"
      label={say('sessions')}
      columns={fixed ? [DEVICE, ...REST] : [USER, DEVICE, ...REST]}
      keyOf={({ id }) => id}
      filters={fixed ? FILTERS : [...FILTERS, USER_FILTER]}
      {...(fixed ? { fixed } : { usersIn: ({ user_id: id }: Session) => [id] })}
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

function Kind({ kind }: { readonly kind: Session['kind'] }) {
  const { say } = useTexts();
  return say(`session.${kind}`);
}

function End({ session: { id, is_active: isActive } }: { readonly session: Session }) {
  const { say } = useTexts();
  if (!isActive) return null;
  return (
    <Action
      route="sessions.delete"
      input={{ params: { session_id: id } }}
      verb={say('endSession')}
      title={say('endSessionTitle')}
      done={say('sessionEndedDone')}
      isSmall
    >
      <p>{say('endSessionHint')}</p>
      <Id id={id} />
    </Action>
  );
}
