import type { Suppression } from '@keywright/sdk';
import { Action } from '../../parts/action.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';

const COLUMNS: readonly Column<Suppression>[] = [
  { title: 'messageTo', cell: ({ to }) => <bdi>{to}</bdi> },
  { title: 'messageReason', cell: ({ reason }) => <Reason reason={reason} /> },
  { title: 'created', sort: 'created_at', cell: ({ created_at: at }) => <Time at={at} /> },
];

/** Addresses that bounced or complained, and no longer receive email. */
export function SuppressionTable() {
  const { say } = useTexts();
  return (
    <Table
      route="messaging.list_suppressions"
      label={say('suppressions')}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      actions={{
        nameOf: ({ to }) => to,
        items: (suppression) => <Release suppression={suppression} />,
      }}
      emptyTitle={say('suppressionsEmptyTitle')}
      guide="bounces"
      empty={<p>{say('suppressionsEmpty')}</p>}
    />
  );
}

function Reason({ reason }: Pick<Suppression, 'reason'>) {
  return useTexts().say(`suppression.${reason}`);
}

function Release({ suppression: { id, to } }: { readonly suppression: Suppression }) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('write:tenant')) return null;
  return (
    <Action
      route="messaging.delete_suppression"
      input={{ params: { suppression: id } }}
      verb={say('suppressionRelease')}
      title={say('suppressionReleaseTitle', { name: to })}
      done={say('suppressionReleased', { name: to })}
      isBad={false}
    >
      <p>{say('suppressionReleaseHint')}</p>
    </Action>
  );
}
