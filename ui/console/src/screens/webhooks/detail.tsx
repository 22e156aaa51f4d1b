import type { Webhook } from '@keywright/sdk';
import { type ReactNode, useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { webhookUpdate } from '../../generated/facts.ts';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Secret } from '../../parts/secret.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { type Texts, useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { EditCard } from '../shared/edit-card.tsx';
import { Reason } from '../shared/reason.tsx';
import { moreWebhookActions, WebhookActions, WebhookDangers } from './actions.tsx';
import { SignatureChecker } from './checker.tsx';
import { DeliveryTable } from './deliveries.tsx';
import { WebhookState } from './state.tsx';

const TABS = [
  { id: '', title: 'deliveries' },
  { id: 'properties', title: 'settings' },
  { id: 'signature', title: 'signature' },
  { id: 'activity', title: 'history' },
] as const;

export function WebhookDetail() {
  const { say } = useTexts();
  const { can } = useCaller();
  const [secret, setSecret] = useState<string>();
  const id = useParam('id');
  const query = useCall(useTenant(), 'webhooks.get', { params: { webhook_id: id } });
  return (
    <Loaded query={query} route="webhooks.get" isScreen>
      {(webhook) => (
        <Page
          title={webhook.url}
          state={<WebhookState webhook={webhook} />}
          actions={<WebhookActions webhook={webhook} />}
          more={moreWebhookActions({ webhook, can, onRotated: setSecret })}
          from={{ to: '/webhooks', title: say('webhooks') }}
        >
          {secret !== undefined && (
            <Secret
              title={say('secretOf', { name: webhook.url })}
              secret={secret}
              fileName="webhook-secret.txt"
              onStored={() => setSecret(undefined)}
            />
          )}
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
    case 'activity':
      return <AuditTable fixed={{ target: webhook.id }} />;
    default:
      return <DeliveryTable webhookId={webhook.id} />;
  }
}

/** Webhooks are enabled and disabled in the menu, which asks. */
const FIELDS = ['url', 'events', 'secret'];

function Properties({ webhook }: Props) {
  const { say } = useTexts();
  return (
    <div className="stack">
      <EditCard
        title={say('details')}
        route="webhooks.update"
        scope="write:webhooks"
        facts={webhookUpdate}
        fields={FIELDS}
        params={{ webhook_id: webhook.id }}
        present={webhook}
        rows={[
          [say('id'), <Id key="id" id={webhook.id} canCopy />],
          [say('created'), <Time key="created" at={webhook.created_at} isWhole />],
          ...failuresOf(webhook, say),
        ]}
      />
      <WebhookDangers webhook={webhook} />
    </div>
  );
}

type Row = readonly [name: string, value: ReactNode];

/** The failures of a webhook, and the end of its previous secret. */
function failuresOf(webhook: Webhook, say: Texts['say']): readonly Row[] {
  const { failing_since: failing, disabled_reason: reason, overlap_ends_at: overlap } = webhook;
  const rows: Row[] = [];
  if (failing) rows.push([say('failingSince'), <Time key="failing" at={failing} isWhole />]);
  if (reason) rows.push([say('disabledReason'), <Reason key="reason" text={reason} />]);
  if (overlap) rows.push([say('overlapEnds'), <Time key="overlap" at={overlap} isWhole />]);
  return rows;
}
