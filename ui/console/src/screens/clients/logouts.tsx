import type { LogoutDelivery } from '@keywright/sdk';
import { State, type Tone } from '../../parts/state.tsx';
import type { Column, Filter } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import type { TextKey } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Reason } from '../shared/reason.tsx';
import { Subject } from '../shared/subject.tsx';

type Status = LogoutDelivery['status'];

const TONES: Readonly<Record<Status, Tone>> = {
  pending: 'brass',
  delivered: 'ok',
  failed: 'bad',
  expired: 'bad',
};
const WORDS: Readonly<Record<Status, TextKey>> = {
  pending: 'delivery.pending',
  delivered: 'delivery.delivered',
  failed: 'delivery.failed',
  expired: 'sent.expired',
};

const COLUMNS: readonly Column<LogoutDelivery>[] = [
  { title: 'user', cell: ({ user_id: id }) => <Subject id={id} /> },
  { title: 'state', cell: ({ status }) => <DeliveryState status={status} /> },
  { title: 'attempts', cell: ({ attempts }) => <Count value={attempts} /> },
  { title: 'answer', cell: ({ reason }) => <Reason text={reason} /> },
  { title: 'endOfSession', cell: ({ created_at: at }) => <Time at={at} /> },
];

const FILTERS: readonly Filter[] = [
  {
    name: 'status',
    label: 'state',
    choices: ['pending', 'delivered', 'failed', 'expired'],
    words: WORDS,
  },
];

/** Shows how the client was notified of ended sessions (OpenID Connect Back-Channel Logout 1.0). */
export function ClientLogouts({ clientId }: { readonly clientId: string }) {
  const { say } = useTexts();
  return (
    <Table
      route="clients.list_logout_deliveries"
      label={say('logouts')}
      columns={COLUMNS}
      keyOf={({ session_id: id }) => id}
      usersIn={({ user_id: id }) => [id]}
      filters={FILTERS}
      params={{ client_id: clientId }}
      emptyTitle={say('logoutsEmptyTitle')}
      guide="log-out"
      empty={<p>{say('logoutsEmpty')}</p>}
    />
  );
}

function DeliveryState({ status }: Pick<LogoutDelivery, 'status'>) {
  const { say } = useTexts();
  return <State word={say(WORDS[status])} tone={TONES[status]} />;
}

function Count({ value }: { readonly value: number }) {
  return useTexts().number(value);
}
