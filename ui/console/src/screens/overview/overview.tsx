import { Loading } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Segments } from '../../parts/segments.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useView } from '../../url/view.ts';
import { COMPARED, comparedOf } from '../usage/series.ts';
import { AttentionCard } from './attention-card.tsx';
import type { Line } from './attention.ts';
import { Checklist, useChecklist } from './checklist.tsx';
import { Figures } from './figures.tsx';
import { greetingOf } from './greeting.ts';
import { PeriodChart, Stats } from './period.tsx';
import { Protection, useProtection } from './protection.tsx';
import { RecentActivity } from './recent.tsx';
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

const PERIODS = Object.entries(COMPARED).map(([name, { title }]) => ({ name, title }));

export function Overview() {
  const { say } = useTexts();
  const { isLoaded, can, name, identifier } = useCaller();
  const { search } = useView();
  const lines = useAttention();
  const period = comparedOf(search['period']);
  const canReadActivity = isLoaded && can('read:audit');
  // A person without a name is not greeted by an address.
  const greeted = identifier === undefined ? undefined : name;
  return (
    <Page
      title={say('overview')}
      {...(greeted && {
        heading: say(`greet.${greetingOf(new Date().getHours())}`, { name: greeted }),
      })}
      about={lines ? <Lead lines={lines} /> : '\u00A0'}
      actions={
        canReadActivity && <Segments to="/" name="period" choices={PERIODS} current={period} />
      }
    >
      <div className="stack">
        {isLoaded && search['welcome'] === '1' && <Welcome />}
        {isLoaded && !READ.some(can) && (
          <div className="note">
            <p>{say('overviewNothing')}</p>
          </div>
        )}
        {canReadActivity ? <Stats period={period} /> : isLoaded && <Figures />}
        <div className="overview">
          <div className="stack">
            {canReadActivity && <PeriodChart period={period} />}
            {canReadActivity && <RecentActivity />}
          </div>
          <div className="stack">
            <Aside lines={lines} />
          </div>
        </div>
      </div>
    </Page>
  );
}

/** These cards appear together, since any of them can turn out to be unnecessary. */
function Aside({ lines }: { readonly lines: readonly Line[] | undefined }) {
  const { isLoaded, can } = useCaller();
  const checklist = useChecklist();
  const protection = useProtection();
  const isLoading = !lines || checklist.isLoading || protection.isLoading;
  if (!isLoaded || isLoading) return <Loading rows={8} />;
  return (
    <>
      <AttentionCard lines={lines} />
      {can('read:tenant') && <Checklist {...checklist} />}
      {can('read:users') && <Protection query={protection} />}
    </>
  );
}

function Lead({ lines }: { readonly lines: readonly Line[] }) {
  const { say } = useTexts();
  return say(lines.length === 0 ? 'attentionNone' : 'attentionSome', { count: lines.length });
}
