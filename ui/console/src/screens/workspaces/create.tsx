import { workspaceCreate } from '../../generated/facts.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Creation } from '../shared/creation.tsx';

export function WorkspaceCreation() {
  const { say } = useTexts();
  return (
    <Creation
      route="workspaces.create"
      facts={workspaceCreate}
      title={say('workspaceCreate')}
      about={say('workspacesEmpty')}
      from={{ to: '/workspaces', title: say('workspaces') }}
      nameOf={({ name }) => name}
      to={({ id }) => `/workspaces/${id}`}
    />
  );
}
