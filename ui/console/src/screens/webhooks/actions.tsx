import type { Webhook } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Action } from '../../parts/action.tsx';
import { ListCounts } from '../../parts/list-counts.tsx';
import { type Caller, useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { DangerZone } from '../shared/danger-zone.tsx';
import { RetryFailed } from './replays.tsx';
import { Rotate } from './rotate.tsx';

interface Props {
  readonly webhook: Webhook;
}

export function WebhookActions({ webhook }: Props) {
  const { can } = useCaller();
  return (
    <>
      {can('write:webhooks') && <Test webhook={webhook} />}
      {can('write:webhooks') && <RetryFailed webhookId={webhook.id} />}
    </>
  );
}

interface MoreProps extends Props, Pick<Caller, 'can'> {
  readonly onRotated: (secret: string) => void;
}

/** Returns the actions of the menu; null: the caller can perform none. */
export function moreWebhookActions({ webhook, onRotated, can }: MoreProps): ReactNode {
  if (!can('write:webhooks') && !can('delete:webhooks')) return null;
  return (
    <>
      {can('write:webhooks') && <Rotate webhook={webhook} onRotated={onRotated} />}
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
