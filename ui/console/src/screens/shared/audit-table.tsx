import type { AuditEntry } from '@keywright/sdk';
import type { ReactNode } from 'react';
import type { Column, Filter, View } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { EntryRow } from './audit-entry.tsx';
import { idsIn, sentenceOfEntry } from './sentences/sentence.ts';
import { useSentences } from './sentences/use-sentences.ts';

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'eventType', cell: (entry) => <EntryRow entry={entry} /> },
  { title: 'when', cell: ({ created_at: at }) => <Time at={at} /> },
];

interface Props {
  readonly filters?: readonly Filter[];
  readonly views?: readonly View[];
  readonly fixed?: { readonly target: string };
  readonly tools?: ReactNode;
  readonly notice?: ReactNode;
}

/** The audit log, in sentences. */
export function AuditTable({ filters = [], fixed, ...frame }: Props) {
  const { say } = useTexts();
  return (
    <Table
      route="audit.list"
      icon="scroll-text"
      label={say('audit')}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      usersIn={namedIn}
      isReady={useSentences() !== undefined}
      filters={filters}
      {...(fixed && { fixed })}
      {...frame}
      hasViewCounts={false}
      emptyTitle={say('auditEmptyTitle')}
      guide="audit"
      empty={<p>{say('auditEmpty')}</p>}
    />
  );
}

/** The records that an entry names, in its sentence and in its details. */
function namedIn(entry: AuditEntry): readonly (string | null)[] {
  const { actor, target } = entry;
  return [...idsIn(sentenceOfEntry(entry)), actor.id, actor.on_behalf_of, target.id];
}
