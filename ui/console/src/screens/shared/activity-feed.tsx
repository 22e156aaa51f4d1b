import type { AuditEntry } from '@keywright/sdk';
import { useRecordNames } from '../../api/users.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Time } from '../../parts/time.tsx';
import { UserNames } from '../../parts/user-name.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { SentenceLine } from './sentences/sentence-line.tsx';
import { idsIn, sentenceOfEntry } from './sentences/sentence.ts';

/** Entries of the audit log in sentences, without a table around them. */
export function ActivityFeed({ items }: { readonly items: readonly AuditEntry[] }) {
  const { can } = useCaller();
  const sentences = items.map((entry) => [entry, sentenceOfEntry(entry)] as const);
  const { names, isPending } = useRecordNames(
    sentences.flatMap(([, sentence]) => idsIn(sentence)),
    can,
  );
  if (isPending) return <Skeleton rows={items.length} />;
  return (
    <UserNames value={names}>
      <ul className="feed">
        {sentences.map(([{ id, action, outcome, created_at: at }, sentence]) => (
          <li key={id}>
            <SentenceLine sentence={sentence} type={action} isBad={outcome !== 'success'} />
            <Time at={at} />
          </li>
        ))}
      </ul>
    </UserNames>
  );
}
