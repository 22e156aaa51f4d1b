import type { Delivery } from '@keywright/sdk';
import { useState } from 'react';
import { Action } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Id } from '../../parts/id.tsx';
import { State, type Tone } from '../../parts/state.tsx';
import type { Column, Filter } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ReplayAfter } from './replays.tsx';

const TONES: Readonly<Record<Delivery['status'], Tone>> = {
  pending: 'brass',
  delivered: 'ok',
  failed: 'bad',
};
const WORDS = {
  pending: 'delivery.pending',
  delivered: 'delivery.delivered',
  failed: 'delivery.failed',
} as const;

const COLUMNS: readonly Column<Delivery>[] = [
  { title: 'event', cell: ({ event_type: type }) => <bdi className="mono">{type}</bdi> },
  { title: 'state', cell: ({ status }) => <DeliveryState status={status} /> },
  { title: 'attempts', cell: ({ attempts }) => <Count value={attempts} /> },
  { title: 'answer', cell: ({ response_status: code, reason }) => code ?? reason ?? '–' },
  { title: 'lastAttempt', cell: ({ last_attempt_at: at }) => <Time at={at} /> },
  { title: 'tools', cell: (delivery) => <Tools delivery={delivery} /> },
];

const FILTERS: readonly Filter[] = [
  { name: 'status', label: 'state', choices: ['pending', 'delivered', 'failed'], words: WORDS },
];

/** What was sent, what was answered, and the way to send it again. */
export function DeliveryTable({ webhookId }: { readonly webhookId: string }) {
  const { say } = useTexts();
  return (
    <Table
      route="webhooks.list_deliveries"
      label={say('deliveries')}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      filters={FILTERS}
      params={{ webhook_id: webhookId }}
      empty={<p>{say('deliveriesEmpty')}</p>}
    />
  );
}

function DeliveryState({ status }: Pick<Delivery, 'status'>) {
  const { say } = useTexts();
  return <State word={say(WORDS[status])} tone={TONES[status]} />;
}

function Count({ value }: { readonly value: number }) {
  return useTexts().number(value);
}

interface Props {
  readonly delivery: Delivery;
}

function Tools({ delivery }: Props) {
  const { can } = useCaller();
  return (
    <span className="actions">
      <Details delivery={delivery} />
      {can('write:webhooks') && <Retry delivery={delivery} />}
      {can('write:webhooks') && <ReplayAfter delivery={delivery} />}
    </span>
  );
}

function Details({ delivery }: Props) {
  const { say } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button isSmall onClick={() => setOpen(true)}>
        {say('details')}
      </Button>
      <Dialog title={delivery.event_type} isOpen={isOpen} onClose={close}>
        <Course delivery={delivery} />
        {delivery.response_body !== null && (
          <pre className="json" dir="ltr" tabIndex={0} role="region" aria-label={say('answer')}>
            {delivery.response_body}
          </pre>
        )}
        <div className="actions">
          <Button kind="solid" onClick={close}>
            {say('close')}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

/** What happened to it, from the event on. */
function Course({ delivery }: Props) {
  const { say, number } = useTexts();
  const { event_id: event, attempts, status, response_status: code, reason } = delivery;
  return (
    <ol className="course">
      <li>
        <strong>{say('event')}</strong> <Id id={event} canCopy />
        <Time at={delivery.created_at} isWhole />
      </li>
      {delivery.last_attempt_at !== null && (
        <li>
          <strong>
            {say('lastAttempt')} ({number(attempts)})
          </strong>
          <Time at={delivery.last_attempt_at} isWhole />
          <span>
            {say('answer')}: <bdi>{code ?? reason ?? say('none')}</bdi>
          </span>
        </li>
      )}
      <li>
        <DeliveryState status={status} />
        {delivery.next_attempt_at !== null && (
          <span>
            {say('nextAttempt')}: <Time at={delivery.next_attempt_at} isWhole />
          </span>
        )}
      </li>
    </ol>
  );
}

function Retry({ delivery: { id, webhook_id: webhookId } }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="webhooks.retry_delivery"
      input={{ params: { webhook_id: webhookId, delivery_id: id } }}
      verb={say('sendAgain')}
      title={say('sendAgainTitle')}
      done={say('sentAgain')}
      isBad={false}
      isSmall
    >
      <p>{say('sendAgainHint')}</p>
    </Action>
  );
}
