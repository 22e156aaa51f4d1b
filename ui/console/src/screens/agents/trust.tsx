import type { Agent } from '@keywright/sdk';
import { agentUpdate } from '../../generated/facts.ts';
import { useTexts } from '../../texts/texts.tsx';
import { EditCard } from '../shared/edit-card.tsx';
import { AddIssuer } from './add-issuer.tsx';
import { PublicKeys } from './public-keys.tsx';
import { TrustedIssuers } from './trusted-issuers.tsx';

/** Issuers are added by a form. */
const KEYS = ['jwks'];

export function AgentTrust({ agent }: { readonly agent: Agent }) {
  const { say } = useTexts();
  return (
    <div className="stack">
      <PublicKeys agent={agent} />
      <TrustedIssuers agent={agent} />
      <AddIssuer agent={agent} />
      <EditCard
        title={say('advanced')}
        route="agents.update"
        scope="write:agents"
        facts={agentUpdate}
        fields={KEYS}
        params={{ agent_id: agent.id }}
        present={agent}
        summary={say('keysAsJson')}
      />
    </div>
  );
}
