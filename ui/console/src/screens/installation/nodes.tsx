import type { Installation } from '@keywright/sdk';
import { Id } from '../../parts/id.tsx';
import { State } from '../../parts/state.tsx';
import type { Column } from '../../parts/table/column.ts';
import { ItemTable } from '../../parts/table/items.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { isSilent } from './rules.ts';

type Node = Installation['nodes'][number];

const COLUMNS: readonly Column<Node>[] = [
  {
    title: 'node',
    cell: ({ host, node_id: id }) => (
      <>
        <bdi>{host}</bdi>
        <div className="muted">
          <Id id={id} />
        </div>
      </>
    ),
  },
  { title: 'state', cell: (node) => <NodeState node={node} /> },
  { title: 'version', cell: ({ version }) => <bdi>{version}</bdi> },
  { title: 'processes', cell: ({ processes }) => <Count of={processes} /> },
  { title: 'upSince', cell: ({ started_at: at }) => <Time at={at} /> },
  { title: 'seenAt', cell: ({ seen_at: at }) => <Time at={at} /> },
];

export function NodeTable({ nodes }: { readonly nodes: readonly Node[] }) {
  const { say } = useTexts();
  if (nodes.length === 0) return <p>{say('nodesEmpty')}</p>;
  return (
    <ItemTable
      label={say('nodes')}
      columns={COLUMNS}
      items={nodes}
      keyOf={({ node_id: id }) => id}
    />
  );
}

function NodeState({ node }: { readonly node: Node }) {
  const { say } = useTexts();
  return isSilent(node.seen_at, Date.now()) ? (
    <State word={say('nodeSilent')} tone="bad" />
  ) : (
    <State word={say('nodeUp')} tone="ok" />
  );
}

function Count({ of }: { readonly of: number }) {
  return useTexts().number(of);
}
