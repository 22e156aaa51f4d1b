import type { Agent } from '@keywright/sdk';
import { agentUpdate } from '../../generated/facts.ts';
import { ChangeCard } from '../shared/change-card.tsx';
import { AddIssuer } from './add-issuer.tsx';
import { PublicKeys } from './public-keys.tsx';
import { TrustedIssuers } from './trusted-issuers.tsx';

/** Fields for how the agent authenticates besides API keys. Other forms omit them. */
export const PROOFS = ['jwks', 'trusts'];

export function AgentTrust({ agent }: { readonly agent: Agent }) {
  return (
    <div className="stack">
      <PublicKeys agent={agent} />
      <TrustedIssuers agent={agent} />
      <AddIssuer agent={agent} />
      <ChangeCard
        route="agents.update"
        scope="write:agents"
        facts={agentUpdate}
        fields={['jwks']}
        params={{ agent_id: agent.id }}
        present={agent}
      />
    </div>
  );
}
