import type { Webhook } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { webhookUpdate } from '../../generated/facts.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { ChangeCard } from '../shared/change-card.tsx';
import { Reason } from '../shared/reason.tsx';
import { WebhookActions } from './actions.tsx';
import { SignatureChecker } from './checker.tsx';
import { DeliveryTable } from './deliveries.tsx';
import { WebhookState } from './state.tsx';

const TABS = [
  { id: '', title: 'deliveries' },
  { id: 'properties', title: 'properties' },
  { id: 'signature', title: 'signature' },
  { id: 'audit', title: 'audit' },
] as const;

export function WebhookDetail() {
  const { say } = useTexts();
  const id = useParam('id');
  const query = useCall(useTenant(), 'webhooks.get', { params: { webhook_id: id } });
  return (
    <Loaded query={query} route="webhooks.get" isScreen>
      {(webhook) => (
        <Page
          title={webhook.url}
          about={<WebhookState webhook={webhook} />}
          actions={<WebhookActions webhook={webhook} />}
          from={{ to: '/webhooks', title: say('webhooks') }}
        >
          <Tabs label={webhook.url} path={`/webhooks/${id}`} tabs={TABS} />
          <Open webhook={webhook} />
        </Page>
      )}
    </Loaded>
  );
}

interface Props {
  readonly webhook: Webhook;
}

function Open({ webhook }: Props) {
  switch (useTab()) {
    case 'properties':
      return <Properties webhook={webhook} />;
    case 'signature':
      return <SignatureChecker />;
    case 'audit':
      return <AuditTable fixed={{ target: webhook.id }} />;
    default:
      return <DeliveryTable webhookId={webhook.id} />;
  }
}

function Properties({ webhook }: Props) {
  const { say } = useTexts();
  return (
    <div className="stack">
      <Card title={say('properties')}>
        <Facts
          rows={[
            [say('id'), <Id key="id" id={webhook.id} canCopy />],
            [say('events'), <Scopes key="events" scopes={webhook.events} />],
            [say('failingSince'), <Time key="failing" at={webhook.failing_since} isWhole />],
            [say('disabledReason'), <Reason key="reason" text={webhook.disabled_reason} />],
            [
              say('overlapEnds'),
              <Time key="overlap" at={webhook.overlap_ends_at} none={say('none')} isWhole />,
            ],
            [say('created'), <Time key="created" at={webhook.created_at} isWhole />],
          ]}
        />
      </Card>
      <ChangeCard
        route="webhooks.update"
        scope="write:webhooks"
        facts={webhookUpdate}
        params={{ webhook_id: webhook.id }}
        present={webhook}
      />
    </div>
  );
}
