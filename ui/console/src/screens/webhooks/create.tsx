import { webhookCreate } from '../../generated/facts.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Creation } from '../shared/creation.tsx';

/** The secret is generated, because a typed one is rarely good. */
const FIELDS = ['url', 'events'];

export function WebhookCreation() {
  const { say } = useTexts();
  return (
    <Creation
      route="webhooks.create"
      facts={webhookCreate}
      fields={FIELDS}
      title={say('webhookCreate')}
      about={say('webhooksEmpty')}
      from={{ to: '/webhooks', title: say('webhooks') }}
      nameOf={({ url }) => url}
      to={({ id }) => `/webhooks/${id}`}
      secretOf={({ secret }) => secret}
    />
  );
}
