import type { Installation } from '@keywright/sdk';
import { Count } from '../../parts/count.tsx';
import { State } from '../../parts/state.tsx';
import type { Column } from '../../parts/table/column.ts';
import { ItemTable } from '../../parts/table/items.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { isLate } from './rules.ts';

type Queue = Installation['queues'][number];

const COLUMNS: readonly Column<Queue>[] = [
  { title: 'queue', cell: ({ name }) => <Name of={name} /> },
  { title: 'waitingJobs', cell: ({ waiting }) => <Count count={waiting} /> },
  { title: 'state', cell: (queue) => <Punctuality queue={queue} /> },
];

export function QueueTable({ queues }: { readonly queues: readonly Queue[] }) {
  const { say } = useTexts();
  return (
    <ItemTable label={say('queues')} columns={COLUMNS} items={queues} keyOf={({ name }) => name} />
  );
}

function Name({ of }: { readonly of: Queue['name'] }) {
  return useTexts().say(`queue.${of}`);
}

function Punctuality({ queue: { late_since: since } }: { readonly queue: Queue }) {
  const { say } = useTexts();
  if (!isLate(since, Date.now())) return <State word={say('onTime')} tone="ok" />;
  return (
    <>
      <State word={say('lateFrom')} tone="bad" /> <Time at={since} />
    </>
  );
}
