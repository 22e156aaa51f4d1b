import type { Webhook } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Action } from '../../parts/action.tsx';
import { Select } from '../../parts/form/select.tsx';
import { ListCounts } from '../../parts/list-counts.tsx';
import { Secret } from '../../parts/secret.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { RetryFailed } from './replays.tsx';

interface Props {
  readonly webhook: Webhook;
}

export function WebhookActions({ webhook }: Props) {
  const { can } = useCaller();
  return (
    <>
      {can('write:webhooks') && <Test webhook={webhook} />}
      {can('write:webhooks') && <RetryFailed webhookId={webhook.id} />}
      {can('write:webhooks') && <Rotation webhook={webhook} />}
      {can('delete:webhooks') && <Delete webhook={webhook} />}
    </>
  );
}

function Test({ webhook: { id } }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="webhooks.test"
      input={{ params: { webhook_id: id } }}
      verb={say('webhookTest')}
      title={say('webhookTestTitle')}
      done={say('webhookTested')}
      isBad={false}
    >
      <p>{say('webhookTestHint')}</p>
    </Action>
  );
}

/** Hours for which the previous secret remains valid. */
const OVERLAPS = ['0', '1', '24', '72', '168'] as const;

function Rotation({ webhook: { id, url } }: Props) {
  const { say } = useTexts();
  const [secret, setSecret] = useState<string | undefined>();
  const wordOf = (overlap: string) =>
    overlap === '0'
      ? say('webhookOverlapNone')
      : say('webhookOverlapHours', { count: Number(overlap) });
  const [hours, setHours] = useState<(typeof OVERLAPS)[number]>('24');
  return (
    <>
      <Action
        route="webhooks.rotate"
        input={{ params: { webhook_id: id }, body: { overlap_hours: Number(hours) } }}
        verb={say('webhookRotate')}
        title={say('rotateTitle', { name: url })}
        done={say('rotated', { name: url })}
        then={(webhook) => setSecret(webhook.secret)}
        isBad={false}
      >
        <p>{say('webhookRotateHint')}</p>
        <div className="choices">
          <Select
            label={say('webhookOverlap')}
            value={hours}
            choices={OVERLAPS.map((overlap) => [overlap, wordOf(overlap)])}
            onChoose={setHours}
          />
        </div>
      </Action>
      {secret !== undefined && (
        <Secret
          title={say('secretOf', { name: url })}
          secret={secret}
          fileName="webhook-secret.txt"
          onStored={() => setSecret(undefined)}
        />
      )}
    </>
  );
}

function Delete({ webhook: { id, url } }: Props) {
  const { say } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  return (
    <Action
      route="webhooks.delete"
      input={{ params: { webhook_id: id } }}
      icon="trash-2"
      verb={say('delete')}
      title={say('deleteTitle', { name: url })}
      typed={url}
      done={say('deleted', { name: url })}
      then={() => void navigate({ to: `/t/${tenant}/webhooks` })}
    >
      <p>{say('deleteWebhookHint')}</p>
      <ListCounts
        lists={[
          { title: 'deliveries', route: 'webhooks.list_deliveries', params: { webhook_id: id } },
        ]}
      />
    </Action>
  );
}
