import type { FieldFacts } from '../../api/field-facts.ts';
import { useCall } from '../../api/queries.ts';
import { apiKeyCreate } from '../../generated/facts.ts';
import { Loaded, Loading } from '../../parts/loaded.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { Creation } from '../shared/creation.tsx';

/** Creates an agent's key, which is shown once. */
export function ApiKeyCreation() {
  const { can, isPending } = useCaller();
  const agentId = useParam('id');
  const isAllowed = can('read:agents');
  const params = { agent_id: agentId };
  const query = useCall(useTenant(), 'agents.get', { params }, isAllowed);
  if (isPending) return <Loading rows={6} />;
  if (!isAllowed) return <KeyForm agentId={agentId} facts={apiKeyCreate} />;
  return (
    <Loaded query={query} route="agents.get" isScreen>
      {({ name, scopes }) => (
        <KeyForm agentId={agentId} agentName={name} facts={factsOfKey(scopes)} />
      )}
    </Loaded>
  );
}

/** A key can have the permissions of its agent only. */
function factsOfKey(scopes: readonly string[]): readonly FieldFacts[] {
  return apiKeyCreate.flatMap((field) => {
    if (field.name !== 'scopes') return [field];
    return scopes.length < 2 ? [] : [{ ...field, kind: 'choices' as const, choices: scopes }];
  });
}

interface Props {
  readonly agentId: string;
  /** Absent if the caller cannot read agents. */
  readonly agentName?: string;
  readonly facts: readonly FieldFacts[];
}

function KeyForm({ agentId, agentName, facts }: Props) {
  const { say } = useTexts();
  const agent = `/agents/${agentId}`;
  return (
    <Creation
      route="apikeys.create"
      facts={facts}
      fixed={{ agent_id: agentId }}
      title={say('apiKeyCreate')}
      from={{ to: agent, title: agentName ?? say('agent') }}
      nameOf={({ name }) => name}
      to={() => agent}
      secretOf={({ key }) => key}
    />
  );
}
