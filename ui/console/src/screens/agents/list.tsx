import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { AgentTable } from '../shared/agent-table.tsx';
import { CreateLink } from '../shared/create-link.tsx';

export function AgentList() {
  const { say } = useTexts();
  return (
    <Page
      title={say('agentsAndKeys')}
      actions={
        <>
          <CreateLink
            scope="delete:apikeys"
            to="/agents/leak"
            title="leak"
            kind="plain"
            icon="triangle-alert"
          />
          <CreateLink scope="write:agents" to="/agents/new" title="agentCreate" />
        </>
      }
    >
      <AgentTable />
    </Page>
  );
}
