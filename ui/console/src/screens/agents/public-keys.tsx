import type { Agent, AgentKey } from '@keywright/sdk';
import { Action } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** The keys that verify the agent's signatures. Each can be removed separately, as at the end of a rotation. */
export function PublicKeys({ agent }: { readonly agent: Agent }) {
  const { say } = useTexts();
  const keys = agent.jwks?.keys ?? [];
  return (
    <Card title={say('publicKeys')}>
      {keys.length === 0 ? (
        <p className="muted">{say('publicKeysEmpty')}</p>
      ) : (
        <ul className="chipless stack">
          {keys.map((key) => (
            <li key={JSON.stringify(key)} className="chain-head">
              <span>
                <bdi className="mono">{key.kid ?? '–'}</bdi>{' '}
                <bdi className="mono muted">{wordsOf(key)}</bdi>
              </span>
              <Remove agent={agent} publicKey={key} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function wordsOf(key: AgentKey): string {
  const curve = 'crv' in key ? key.crv : undefined;
  return [key.kty, curve, key.alg].filter((part) => part !== undefined).join(' ');
}

function Remove({ agent, publicKey }: { readonly agent: Agent; readonly publicKey: AgentKey }) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('write:agents')) return null;
  const rest = (agent.jwks?.keys ?? []).filter((key) => key !== publicKey);
  const name = publicKey.kid ?? '–';
  return (
    <Action
      route="agents.update"
      input={{
        params: { agent_id: agent.id },
        body: { jwks: rest.length === 0 ? null : { keys: rest } },
      }}
      icon="trash-2"
      verb={say('removeFactor')}
      title={say('publicKeyRemoveTitle', { name })}
      done={say('factorRemoved', { name })}
      isSmall
    >
      <p>{say('publicKeyRemoveHint')}</p>
    </Action>
  );
}
