import { clientCreate } from '../../generated/facts.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Creation } from '../shared/creation.tsx';
import { placeOfClient } from './place.ts';

/** What most clients need; the rest is changed afterwards. */
const FIELDS = [
  'name',
  'kind',
  'redirect_uris',
  'post_logout_redirect_uris',
  'scopes',
  'first_party',
  'token_endpoint_auth_method',
];

export function ClientCreation() {
  const { say } = useTexts();
  return (
    <Creation
      route="clients.create"
      facts={clientCreate}
      fields={FIELDS}
      title={say('clientCreate')}
      about={say('clientsEmpty')}
      from={{ to: '/clients', title: say('clients') }}
      nameOf={({ name }) => name}
      to={({ id }) => placeOfClient(id)}
      // A public client has none.
      secretOf={(client) => client.client_secret}
    />
  );
}
