import { userCreate } from '../../generated/facts.ts';
import { RolesNote } from '../../parts/form/choice-notes.tsx';
import { useRoleFacts } from '../../parts/form/role-facts.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Creation } from '../shared/creation.tsx';
import { nameOfUser } from './name.ts';

export function UserCreation() {
  const { say } = useTexts();
  return (
    <Creation
      route="users.create"
      facts={useRoleFacts(userCreate)}
      notes={<RolesNote />}
      title={say('userCreate')}
      about={say('userCreateHint')}
      from={{ to: '/users', title: say('users') }}
      nameOf={nameOfUser}
      to={({ id }) => `/users/${id}`}
    />
  );
}
