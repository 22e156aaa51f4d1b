import { useCall } from '../../api/queries.ts';
import { useRecordNames } from '../../api/users.ts';
import type { AuditEntry } from '@keywright/sdk';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Place } from '../../parts/place.tsx';
import { Time } from '../../parts/time.tsx';
import { UserNames } from '../../parts/user-name.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { SentenceLine } from '../shared/sentences/sentence-line.tsx';
import { idsIn, sentenceOfEntry } from '../shared/sentences/sentence.ts';

const SHOWN = 8;

/** The latest entries of the audit log. */
export function RecentActivity() {
  const { say } = useTexts();
  const query = useCall(useTenant(), 'audit.list', { query: { limit: SHOWN } });
  if (query.error?.status === 403) return null;
  return (
    <Card title={say('recent')} actions={<Place to="/audit">{say('audit')}</Place>}>
      <Loaded query={query} route="audit.list" rows={SHOWN}>
        {({ items }) => <Feed items={items} />}
      </Loaded>
    </Card>
  );
}

function Feed({ items }: { readonly items: readonly AuditEntry[] }) {
  const { can } = useCaller();
  const sentences = items.map((entry) => [entry, sentenceOfEntry(entry)] as const);
  const { names } = useRecordNames(
    sentences.flatMap(([, sentence]) => idsIn(sentence)),
    can,
  );
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
