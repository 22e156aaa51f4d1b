import type { Delivery } from '@keywright/sdk';
import { useState } from 'react';
import { Action } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Sheet } from '../../parts/dialog.tsx';
import type { Column, Filter } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Reason } from '../shared/reason.tsx';
import { DeliveryCourse, DELIVERY_WORDS, DeliveryState } from './course.tsx';
import { ReplayAfter } from './replays.tsx';

const COLUMNS: readonly Column<Delivery>[] = [
  { title: 'event', cell: ({ event_type: type }) => <bdi className="mono">{type}</bdi> },
  { title: 'state', cell: ({ status }) => <DeliveryState status={status} /> },
  { title: 'attempts', cell: ({ attempts }) => <Count value={attempts} /> },
  {
    title: 'answer',
    cell: ({ response_status: code, reason }) => code ?? <Reason text={reason} />,
  },
  { title: 'lastAttempt', cell: ({ last_attempt_at: at }) => <Time at={at} /> },
  { title: 'tools', cell: (delivery) => <Tools delivery={delivery} /> },
];

const FILTERS: readonly Filter[] = [
  {
    name: 'status',
    label: 'state',
    choices: ['pending', 'delivered', 'failed'],
    words: DELIVERY_WORDS,
  },
];

/** The times of the next attempts of pending deliveries. */
const attemptsOf = (deliveries: readonly Delivery[]) =>
  deliveries.flatMap(({ status, next_attempt_at: at }) => (status === 'pending' ? [at] : []));

/** Shows each request and its response, and a way to send it again. */
export function DeliveryTable({ webhookId }: { readonly webhookId: string }) {
  const { say } = useTexts();
  return (
    <Table
      route="webhooks.list_deliveries"
      icon="send"
      label={say('deliveries')}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      filters={FILTERS}
      params={{ webhook_id: webhookId }}
      pendingIn={attemptsOf}
      empty={<p>{say('deliveriesEmpty')}</p>}
    />
  );
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
      <Sheet title={delivery.event_type} isOpen={isOpen} onClose={close}>
        <DeliveryCourse delivery={delivery} />
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
      </Sheet>
    </>
  );
}

function Retry({ delivery: { id, webhook_id: webhookId } }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="webhooks.retry_delivery"
      input={{ params: { webhook_id: webhookId, delivery_id: id } }}
      icon="refresh-cw"
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
