import type { Message } from '@keywright/sdk';
import { State, type Tone } from '../../parts/state.tsx';
import type { Column, Filter } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Reason } from '../shared/reason.tsx';

const TONES: Readonly<Record<Message['status'], Tone>> = {
  pending: 'brass',
  sent: 'ok',
  failed: 'bad',
  expired: 'bad',
  not_sent: 'plain',
};
const WORDS = {
  pending: 'sent.pending',
  sent: 'sent.sent',
  failed: 'sent.failed',
  expired: 'sent.expired',
  not_sent: 'sent.not_sent',
} as const;

const COLUMNS: readonly Column<Message>[] = [
  { title: 'messageTo', cell: ({ to }) => <bdi>{to}</bdi> },
  { title: 'kind', cell: ({ kind }) => <Kind kind={kind} /> },
  { title: 'state', cell: ({ status }) => <MessageState status={status} /> },
  {
    title: 'messageReason',
    cell: ({ reason }) => <Reason text={reason} />,
  },
  { title: 'attempts', cell: ({ attempts }) => <Count value={attempts} /> },
  { title: 'created', sort: 'created_at', cell: ({ created_at: at }) => <Time at={at} /> },
];

const FILTERS: readonly Filter[] = [
  {
    name: 'status',
    label: 'state',
    choices: ['pending', 'sent', 'failed', 'expired', 'not_sent'],
    words: WORDS,
  },
  { name: 'user_id', label: 'user', of: 'users' },
];

/** Shows the status of each message of the last 30 days. */
export function MessageLog() {
  const { say } = useTexts();
  return (
    <Table
      route="messaging.list_messages"
      label={say('messageLog')}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      filters={FILTERS}
      guide="mail"
      empty={<p>{say('messageLogEmpty')}</p>}
    />
  );
}

function Kind({ kind }: Pick<Message, 'kind'>) {
  return useTexts().say(`message.${kind}`);
}

export function MessageState({ status }: Pick<Message, 'status'>) {
  return <State word={useTexts().say(WORDS[status])} tone={TONES[status]} />;
}

function Count({ value }: { readonly value: number }) {
  return useTexts().number(value);
}
