import type { Factor } from '@keywright/sdk';
import { Action } from '../../parts/action.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';

const COLUMNS: readonly Column<Factor>[] = [
  { title: 'name', cell: ({ name }) => <bdi>{name}</bdi> },
  { title: 'kind', cell: ({ type }) => <Kind type={type} /> },
  { title: 'lastUsed', cell: ({ last_used_at: at }) => <Time at={at} /> },
  { title: 'created', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'tools', cell: (factor) => <Remove factor={factor} /> },
];

export function UserFactors({ userId }: { readonly userId: string }) {
  const { say } = useTexts();
  return (
    <section className="stack" aria-label={say('factors')}>
      <h2>{say('factors')}</h2>
      <Table
        route="users.list_factors"
        icon="fingerprint-pattern"
        label={say('factors')}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        params={{ user_id: userId }}
        guide="second-factors"
        empty={<p>{say('factorsEmpty')}</p>}
      />
    </section>
  );
}

function Kind({ type }: { readonly type: string }) {
  return useTexts().name(type);
}

function Remove({ factor: { name, id, user_id: userId } }: { readonly factor: Factor }) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('write:users')) return null;
  return (
    <Action
      route="users.delete_factor"
      input={{ params: { user_id: userId, factor_id: id } }}
      icon="trash-2"
      verb={say('removeFactor')}
      title={say('removeFactorTitle', { name })}
      done={say('factorRemoved', { name })}
      isSmall
    >
      <p>{say('removeFactorHint')}</p>
    </Action>
  );
}
