import type { Agent } from '@keywright/sdk';
import { agentUpdate } from '../../generated/facts.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { WithResourceScopes } from '../../parts/form/agent-scopes.tsx';
import { useWorkspaceFacts } from '../../parts/form/workspace-facts.ts';
import { Id } from '../../parts/id.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ChangeCard } from '../shared/change-card.tsx';
import { PROOFS } from './trust.tsx';

const FACTS = agentUpdate.filter(({ name }) => !PROOFS.includes(name));

export function AgentProperties({ agent }: { readonly agent: Agent }) {
  const { say } = useTexts();
  const { owner_id: ownerId } = agent;
  return (
    <div className="stack">
      <Card title={say('properties')}>
        <Facts
          rows={[
            [say('id'), <Id key="id" id={agent.id} canCopy />],
            [say('description'), <bdi key="description">{agent.description}</bdi>],
            [
              say('owner'),
              ownerId === null ? (
                say('none')
              ) : (
                <Place key="owner" to={`/users/${ownerId}`}>
                  <Id id={ownerId} />
                </Place>
              ),
            ],
            [say('workspace'), <Id key="workspace" id={agent.workspace_id} />],
            [say('scopes'), <Scopes key="scopes" scopes={agent.scopes} />],
            [say('created'), <Time key="created" at={agent.created_at} isWhole />],
          ]}
        />
      </Card>
      <WithResourceScopes facts={useWorkspaceFacts(FACTS)}>
        {(facts) => (
          <ChangeCard
            route="agents.update"
            scope="write:agents"
            facts={facts}
            params={{ agent_id: agent.id }}
            present={agent}
          />
        )}
      </WithResourceScopes>
    </div>
  );
}
