import type { Agent, AgentTrust } from '@keywright/sdk';
import { Action } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Json } from '../../parts/json.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** Shows external issuers, and which of their tokens authenticate the agent. */
export function TrustedIssuers({ agent }: { readonly agent: Agent }) {
  const { say } = useTexts();
  return (
    <Card title={say('issuersTrusted')}>
      {agent.trusts.length === 0 ? (
        <p className="muted">{say('issuersEmpty')}</p>
      ) : (
        <ul className="chipless stack">
          {agent.trusts.map((trust) => (
            <li key={JSON.stringify(trust)}>
              <Trust agent={agent} trust={trust} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

interface Props {
  readonly agent: Agent;
  readonly trust: AgentTrust;
}

function Trust({ agent, trust }: Props) {
  const { say } = useTexts();
  const { issuer, audience, subject, claims, single_use: isSingle } = trust;
  return (
    <div className="stack">
      <div className="chain-head">
        <strong>
          <bdi className="mono">{issuer}</bdi>
        </strong>
        <Remove agent={agent} trust={trust} />
      </div>
      <Facts
        rows={[
          [say('audience'), <bdi key="audience">{audience}</bdi>],
          [say('tokenSubject'), <bdi key="subject">{subject ?? say('any')}</bdi>],
          [say('claims'), <Json key="claims" value={claims ?? {}} label={say('claims')} />],
          [say('singleUse'), say(isSingle === false ? 'no' : 'yes')],
        ]}
      />
    </div>
  );
}

function Remove({ agent, trust }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('write:agents')) return null;
  const name = trust.issuer;
  return (
    <Action
      route="agents.update"
      input={{
        params: { agent_id: agent.id },
        body: { trusts: agent.trusts.filter((other) => other !== trust) },
      }}
      icon="trash-2"
      verb={say('removeFactor')}
      title={say('issuerRemoveTitle', { name })}
      done={say('factorRemoved', { name })}
      isSmall
    >
      <p>{say('issuerRemoveHint')}</p>
    </Action>
  );
}
