import type { OAuthClient } from '@keywright/sdk';
import { clientUpdate } from '../../generated/facts.ts';
import { Time } from '../../parts/time.tsx';
import { useTexts, useWords } from '../../texts/texts.tsx';
import { EditCard } from '../shared/edit-card.tsx';
import { CLIENT_GROUPS } from './groups.ts';

/** The main fields of an application, which are edited in place. */
export function ClientProperties({ client }: { readonly client: OAuthClient }) {
  const { say } = useTexts();
  const { labelOf, choiceOf } = useWords();
  const [{ fields }] = CLIENT_GROUPS;
  const word = (field: 'kind' | 'token_endpoint_auth_method') =>
    choiceOf({ of: 'client', name: field }, client[field]);
  return (
    <EditCard
      title={say('general')}
      route="clients.update"
      scope="write:clients"
      facts={clientUpdate}
      fields={fields}
      params={{ client_id: client.id }}
      present={client}
      rows={[
        [say('kind'), word('kind')],
        [
          labelOf({ of: 'client', name: 'token_endpoint_auth_method' }),
          word('token_endpoint_auth_method'),
        ],
        [say('createdBy'), say(`createdBy.${client.created_by}`)],
        [say('created'), <Time key="created" at={client.created_at} isWhole />],
        [say('lastUsed'), <Time key="used" at={client.last_used_at} isWhole />],
      ]}
    />
  );
}
