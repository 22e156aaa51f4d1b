import { lazy, Suspense } from 'react';
import { useCall } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { changeOf } from '../../parts/chart/scale.ts';
import { Sparkline } from '../../parts/chart/sparkline.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Place } from '../../parts/place.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import type { Search } from '../../url/search.ts';
import {
  COMPARED,
  type ComparedName,
  figureOf,
  halves,
  startOfCompared,
  type Step,
  stepsOf,
} from '../usage/series.ts';
import { methodColumns, StepTable } from '../usage/step-table.tsx';

const LoginChart = lazy(async () => ({
  default: (await import('../usage/login-chart.tsx')).LoginChart,
}));

interface Stat {
  readonly title: 'figure.logins' | 'figure.refused' | 'figure.sessions' | 'figure.requests';
  readonly valueOf: (step: Step) => number;
  readonly isBad?: boolean;
  readonly to: string;
  readonly search?: Search;
}

const STATS: readonly Stat[] = [
  { title: 'figure.logins', valueOf: (step) => figureOf('logins', step).good, to: '/usage' },
  { title: 'figure.sessions', valueOf: (step) => figureOf('sessions', step).good, to: '/sessions' },
  {
    title: 'figure.refused',
    valueOf: (step) => figureOf('logins', step).bad,
    isBad: true,
    to: '/audit',
    search: { action: 'auth.login_failed' },
  },
  { title: 'figure.requests', valueOf: (step) => allRequests(step), to: '/usage' },
];

function allRequests(step: Step): number {
  const { good, bad } = figureOf('requests', step);
  return good + bad;
}

interface Props {
  readonly period: ComparedName;
}

/** Returns the activity in the period and in the previous period. */
function useActivity(period: ComparedName) {
  const { interval } = COMPARED[period];
  const query = { interval, from: startOfCompared(period, Date.now()) };
  return useCall(useTenant(), 'audit.list_activity', { query });
}

/** The figures of the period, compared with the previous period. */
export function Stats({ period }: Props) {
  const { say } = useTexts();
  const activity = useActivity(period);
  if (activity.error?.status === 403) return null;
  if (activity.isLoading) return <StatSpace period={period} />;
  return (
    <nav className="stats" aria-label={say('inNumbers')}>
      <Loaded query={activity} route="audit.list_activity" rows={4}>
        {(answer) => {
          const [last, before] = halves(stepsOf(answer));
          return STATS.map((stat) => (
            <StatCard key={stat.title} stat={stat} last={last} before={before} period={period} />
          ));
        }}
      </Loaded>
    </nav>
  );
}

/** Reserves the space of the figures. */
function StatSpace({ period }: Props) {
  const { say } = useTexts();
  return (
    <div className="stats" role="status" aria-busy="true" aria-label={say('loading')}>
      {STATS.map(({ title }) => (
        <div key={title} className="card stat" aria-hidden="true">
          <span>{say(title)}</span>
          <strong>{'\u00A0'}</strong>
          <span className="change">
            {say('changeNone')} {say(COMPARED[period].versus)}
          </span>
          <svg className="sparkline" />
        </div>
      ))}
    </div>
  );
}

interface StatProps extends Props {
  readonly stat: Stat;
  readonly last: readonly Step[];
  readonly before: readonly Step[];
}

function StatCard({ stat, last, before, period }: StatProps) {
  const { say, locale, number } = useTexts();
  const { title, valueOf, isBad = false, to, search } = stat;
  const values = last.map(valueOf);
  const total = sum(values);
  const compact = new Intl.NumberFormat(`${locale}-u-nu-latn`, { notation: 'compact' });
  return (
    <Place to={to} className="card stat" {...(search && { search })}>
      <span>{say(title)}</span>
      <strong>{total < 10_000 ? number(total) : compact.format(total)}</strong>
      <Change
        change={changeOf(total, sum(before.map(valueOf)))}
        total={total}
        period={period}
        isBad={isBad}
      />
      <Sparkline values={values} isBad={isBad} />
    </Place>
  );
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

interface ChangeProps extends Props {
  /** In percent; undefined: the previous figure is 0. */
  readonly change: number | undefined;
  readonly total: number;
  readonly isBad: boolean;
}

function Change({ change, total, period, isBad }: ChangeProps) {
  const { say, locale } = useTexts();
  const versus = say(COMPARED[period].versus);
  if (change === undefined || change === 0) {
    const isNew = change === undefined && total > 0;
    return (
      <span className="change">
        {say(isNew ? 'changeNew' : 'changeNone')} <span className="muted">{versus}</span>
      </span>
    );
  }
  const percent = new Intl.NumberFormat(`${locale}-u-nu-latn`, { style: 'percent' });
  const isUp = change > 0;
  const tone = isUp ? (isBad ? ' wrong' : ' good') : '';
  return (
    <span className="change">
      <span className={`by${tone}`}>
        <Icon name={isUp ? 'arrow-up' : 'arrow-down'} />
        <span className="unseen">{say(isUp ? 'changeUp' : 'changeDown')} </span>
        {percent.format(Math.abs(change) / 100)}
      </span>{' '}
      <span className="muted">{versus}</span>
    </span>
  );
}

/** The logins of the period by method, with a table of the same data. */
export function PeriodChart({ period }: Props) {
  const { say } = useTexts();
  const activity = useActivity(period);
  if (activity.error?.status === 403) return null;
  if (activity.isLoading) return <ChartSpace />;
  return (
    <Loaded query={activity} route="audit.list_activity">
      {(answer) => {
        const [steps] = halves(stepsOf(answer));
        return (
          <Suspense fallback={<ChartSpace />}>
            <LoginChart steps={steps}>
              <StepTable label={say('loginsByMethod')} steps={steps} columns={methodColumns(say)} />
            </LoginChart>
          </Suspense>
        );
      }}
    </Loaded>
  );
}

/** Reserves the space of the chart. */
function ChartSpace() {
  const { say } = useTexts();
  return (
    <Card title={say('loginsByMethod')}>
      <div className="chart-space" role="status" aria-busy="true" aria-label={say('loading')}>
        <Skeleton rows={8} />
      </div>
    </Card>
  );
}
