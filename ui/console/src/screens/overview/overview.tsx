import { Page } from '../../parts/page.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useView } from '../../url/view.ts';
import { AttentionCard } from './attention-card.tsx';
import { Checklist } from './checklist.tsx';
import { Figures } from './figures.tsx';
import { LastDay } from './last-day.tsx';
import { RecentChanges } from './recent.tsx';
import { useAttention } from './use-attention.ts';
import { Welcome } from './welcome.tsx';

const READ = [
  'read:users',
  'read:sessions',
  'read:agents',
  'read:clients',
  'read:webhooks',
  'read:tenant',
  'read:audit',
];

export function Overview() {
  const { say } = useTexts();
  const { isLoaded, can } = useCaller();
  const { search } = useView();
  const lines = useAttention();
  const recent = isLoaded && lines && (
    <>
      <AttentionCard lines={lines} />
      {can('read:audit') && (
        <>
          <LastDay />
          <RecentChanges />
        </>
      )}
    </>
  );
  return (
    <Page title={say('overview')}>
      <div className="stack">
        {isLoaded && search['welcome'] === '1' && <Welcome />}
        {isLoaded && !READ.some(can) && (
          <div className="note">
            <p>{say('overviewNothing')}</p>
          </div>
        )}
        {isLoaded && <Figures />}
        {isLoaded && can('read:tenant') ? <Checklist>{recent}</Checklist> : recent}
      </div>
    </Page>
  );
}
