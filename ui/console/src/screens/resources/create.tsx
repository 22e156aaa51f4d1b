import { resourceCreate } from '../../generated/facts.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Creation } from '../shared/creation.tsx';

/** The fields that most resources need. The rest can be changed afterward. */
const FIELDS = ['name', 'uri', 'scopes', 'token_ttl'];

export function ResourceCreation() {
  const { say } = useTexts();
  return (
    <Creation
      route="resources.create"
      facts={resourceCreate}
      fields={FIELDS}
      title={say('resourceCreate')}
      about={say('resourcesHint')}
      from={{ to: '/resources', title: say('resources') }}
      nameOf={({ name }) => name}
      to={({ id }) => `/resources/${id}`}
    />
  );
}
