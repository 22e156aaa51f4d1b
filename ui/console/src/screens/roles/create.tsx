import { roleCreate } from '../../generated/facts.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Creation } from '../shared/creation.tsx';

export function RoleCreation() {
  const { say } = useTexts();
  return (
    <Creation
      route="roles.create"
      facts={roleCreate}
      title={say('roleCreate')}
      about={say('rolesEmpty')}
      from={{ to: '/roles', title: say('roles') }}
      nameOf={({ name }) => name}
      to={({ name }) => `/roles/${name}`}
    />
  );
}
