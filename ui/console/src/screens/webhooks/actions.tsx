import type { Webhook } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Action } from '../../parts/action.tsx';
import { Select } from '../../parts/form/select.tsx';
import { ListCounts } from '../../parts/list-counts.tsx';
import { Secret } from '../../parts/secret.tsx';
import { type Caller, useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { DangerZone } from '../shared/danger-zone.tsx';
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
    </>
  );
}

/** Returns the actions of the menu; null: the caller can perform none. */
export function moreWebhookActions({ webhook, can }: Props & Pick<Caller, 'can'>): ReactNode {
  if (!can('write:webhooks') && !can('delete:webhooks')) return null;
  return (
    <>
      {can('write:webhooks') && <Switch webhook={webhook} />}
      {can('delete:webhooks') && <Delete webhook={webhook} />}
    </>
  );
}

/** The actions that stop or end the webhook. */
export function WebhookDangers({ webhook }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const disabling = {
    title: say('disable'),
    about: say('disableWebhookHint'),
    action: <Switch webhook={webhook} />,
  };
  const deletion = {
    title: say('delete'),
    about: say('deleteWebhookHint'),
    action: <Delete webhook={webhook} />,
  };
  return (
    <DangerZone
      dangers={[
        ...(webhook.is_active && can('write:webhooks') ? [disabling] : []),
        ...(can('delete:webhooks') ? [deletion] : []),
      ]}
    />
  );
}

function Switch({ webhook: { id, url, is_active: isActive } }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="webhooks.update"
      input={{ params: { webhook_id: id }, body: { is_active: !isActive } }}
      icon={isActive ? 'ban' : 'circle-check'}
      verb={say(isActive ? 'disable' : 'enable')}
      title={say(isActive ? 'disableTitle' : 'enableTitle', { name: url })}
      done={say(isActive ? 'disabled' : 'enabled', { name: url })}
      isBad={isActive}
    >
      <p>{say(isActive ? 'disableWebhookHint' : 'enableWebhookHint')}</p>
    </Action>
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
      icon="send"
      isBad={false}
      isNext
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
        icon="refresh-cw"
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
