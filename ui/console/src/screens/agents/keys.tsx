import type { ApiKey } from '@keywright/sdk';
import { useState } from 'react';
import { Action } from '../../parts/action.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { Secret } from '../../parts/secret.tsx';
import { State } from '../../parts/state.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { CreateLink } from '../shared/create-link.tsx';
import { stateOfKey } from './key-state.ts';
import { Rotate } from './rotate.tsx';

interface Shown {
  readonly name: string;
  readonly key: string;
}

/** The keys of an agent, including those that no longer work. */
export function ApiKeyTable({ agentId }: { readonly agentId: string }) {
  const { say } = useTexts();
  const [shown, setShown] = useState<Shown | undefined>();
  return (
    <>
      <div className="filters">
        <CreateLink scope="write:apikeys" to={`/agents/${agentId}/keys/new`} title="apiKeyCreate" />
      </div>
      <Table
        route="apikeys.list"
        label={say('apiKeys')}
        columns={COLUMNS}
        actions={{
          nameOf: ({ name }) => name,
          items: (key) => <Tools apiKey={key} onRotated={setShown} />,
        }}
        keyOf={({ id }) => id}
        fixed={{ agent_id: agentId }}
        emptyTitle={say('apiKeysEmptyTitle')}
        guide="agents-and-api-keys"
        empty={<p>{say('apiKeysEmpty')}</p>}
      />
      {shown && (
        <Secret
          title={say('secretOf', { name: shown.name })}
          secret={shown.key}
          fileName={`${shown.name}.txt`}
          onStored={() => setShown(undefined)}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    title: 'name',
    cell: ({ name, prefix }) => (
      <>
        <bdi>{name}</bdi> <bdi className="mono muted">{prefix}…</bdi>
      </>
    ),
  },
  { title: 'state', cell: (key) => <KeyState apiKey={key} /> },
  { title: 'scopes', cell: ({ scopes }) => <KeyScopes scopes={scopes} /> },
  { title: 'addresses', cell: ({ allowed_ips: ips }) => <Addresses ips={ips} /> },
  { title: 'lastUsed', cell: ({ last_used_at: at }) => <Time at={at} /> },
  { title: 'expires', cell: ({ expires_at: at }) => <Time at={at} /> },
];

interface KeyProps {
  readonly apiKey: ApiKey;
}

function KeyState({ apiKey }: KeyProps) {
  const { name } = useTexts();
  const { word, tone } = stateOfKey(apiKey, Date.now());
  return <State word={name(word)} tone={tone} />;
}

function KeyScopes({ scopes }: { readonly scopes: readonly string[] | null }) {
  const { say } = useTexts();
  if (scopes === null) return <span className="muted">{say('allOfAgent')}</span>;
  return <Scopes scopes={scopes} most={3} />;
}

function Addresses({ ips }: { readonly ips: readonly string[] | null }) {
  const { say } = useTexts();
  if (ips === null) return <span className="muted">{say('any')}</span>;
  return <Scopes scopes={ips} most={2} />;
}

function Tools({ apiKey, onRotated }: KeyProps & { readonly onRotated: (shown: Shown) => void }) {
  const { say } = useTexts();
  const { can } = useCaller();
  const { id, name } = apiKey;
  if (stateOfKey(apiKey, Date.now()).tone !== 'ok') return null;
  return (
    <>
      {can('write:apikeys') && apiKey.successor_id === null && (
        <Rotate apiKey={apiKey} onRotated={onRotated} />
      )}
      {can('delete:apikeys') && (
        <Action
          route="apikeys.delete"
          input={{ params: { key_id: id } }}
          icon="ban"
          verb={say('revoke')}
          title={say('revokeTitle', { name })}
          done={say('revoked', { name })}
        >
          <p>{say('revokeKeyHint')}</p>
        </Action>
      )}
    </>
  );
}
