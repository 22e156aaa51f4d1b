import type { Webhook } from '@keywright/sdk';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { CreateLink } from '../shared/create-link.tsx';
import { WebhookState } from './state.tsx';

const COLUMNS: readonly Column<Webhook>[] = [
  {
    title: 'address',
    cell: ({ id, url }) => (
      <Place to={`/webhooks/${id}`}>
        <bdi>{url}</bdi>
      </Place>
    ),
  },
  { title: 'state', cell: (webhook) => <WebhookState webhook={webhook} /> },
  { title: 'events', cell: ({ events }) => <Scopes scopes={events} most={3} /> },
  { title: 'created', sort: 'created_at', cell: ({ created_at: at }) => <Time at={at} /> },
];

export function WebhookList() {
  const { say } = useTexts();
  return (
    <Page
      title={say('webhooks')}
      actions={<CreateLink scope="write:webhooks" to="/webhooks/new" title="webhookCreate" />}
    >
      <Table
        route="webhooks.list"
        icon="webhook"
        label={say('webhooks')}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        actions={{ nameOf: ({ url }) => url }}
        emptyTitle={say('webhooksEmptyTitle')}
        start={
          <CreateLink
            scope="write:webhooks"
            to="/webhooks/new"
            title="webhookCreate"
            kind="plain"
          />
        }
        guide="webhooks"
        empty={<p>{say('webhooksEmpty')}</p>}
      />
    </Page>
  );
}
