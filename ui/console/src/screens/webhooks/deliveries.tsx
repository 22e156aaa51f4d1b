import type { Delivery } from '@keywright/sdk';
import { useState } from 'react';
import { Action } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Sheet } from '../../parts/dialog.tsx';
import type { Column, Filter, View } from '../../parts/table/column.ts';
import { RowButton } from '../../parts/table/row-button.tsx';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Reason } from '../shared/reason.tsx';
import { DeliveryCourse, DELIVERY_WORDS, DeliveryState } from './course.tsx';
import { ReplayAfter, ReplayCounted } from './replays.tsx';

const COLUMNS: readonly Column<Delivery>[] = [
  { title: 'event', cell: (delivery) => <Details delivery={delivery} /> },
  { title: 'state', cell: ({ status }) => <DeliveryState status={status} /> },
  { title: 'attempts', cell: ({ attempts }) => <Count value={attempts} /> },
  {
    title: 'answer',
    cell: ({ response_status: code, reason }) => code ?? <Reason text={reason} />,
  },
  { title: 'lastAttempt', cell: ({ last_attempt_at: at }) => <Time at={at} /> },
];

const FILTERS: readonly Filter[] = [
  {
    name: 'status',
    label: 'state',
    choices: ['pending', 'delivered', 'failed'],
    words: DELIVERY_WORDS,
  },
];

const VIEWS: readonly View[] = [
  { title: 'viewAll', filters: {} },
  { title: 'delivery.failed', filters: { status: 'failed' } },
  { title: 'delivery.pending', filters: { status: 'pending' } },
  { title: 'delivery.delivered', filters: { status: 'delivered' } },
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
      views={VIEWS}
      actions={{
        nameOf: ({ event_type: type }) => type,
        items: (delivery) => <Tools delivery={delivery} />,
      }}
      params={{ webhook_id: webhookId }}
      pendingIn={attemptsOf}
      emptyTitle={say('deliveriesEmptyTitle')}
      guide="webhooks"
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
    <>
      {can('write:webhooks') && <Retry delivery={delivery} />}
      {can('write:webhooks') && <ReplayAfter delivery={delivery} />}
    </>
  );
}

function Details({ delivery }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <RowButton onOpen={() => setOpen(true)}>
        <bdi className="mono">{delivery.event_type}</bdi>
      </RowButton>
      <Sheet title={delivery.event_type} isOpen={isOpen} onClose={close}>
        <DeliveryCourse delivery={delivery} />
        {delivery.response_body !== null && (
          <pre className="json" dir="ltr" tabIndex={0} role="region" aria-label={say('answer')}>
            {delivery.response_body}
          </pre>
        )}
        {can('write:webhooks') && <ReplayCounted delivery={delivery} onDone={close} />}
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
    >
      <p>{say('sendAgainHint')}</p>
    </Action>
  );
}
