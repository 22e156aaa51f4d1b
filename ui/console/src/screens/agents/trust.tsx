import type { Agent } from '@keywright/sdk';
import { useIssuer } from '../../api/issuer.ts';
import { agentUpdate } from '../../generated/facts.ts';
import { Loading } from '../../parts/loaded.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { EditCard } from '../shared/edit-card.tsx';
import { AddIssuer } from './add-issuer.tsx';
import { PublicKeys } from './public-keys.tsx';
import { TrustedIssuers } from './trusted-issuers.tsx';

/** Issuers are added by a form. */
const KEYS = ['jwks'];

export function AgentTrust({ agent }: { readonly agent: Agent }) {
  const { say } = useTexts();
  const { data: audience, isPending } = useIssuer(useTenant());
  // The form is above other cards, which it would push down.
  if (isPending) return <Loading rows={12} />;
  return (
    <div className="stack">
      <PublicKeys agent={agent} />
      <TrustedIssuers agent={agent} />
      {audience !== undefined && <AddIssuer agent={agent} audience={audience} />}
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
