import { useCall } from '../../api/queries.ts';
import type { AnswerOf } from '../../api/routes.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Card } from '../../parts/card.tsx';
import { Bars, type Series } from '../../parts/chart/bars.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Segments } from '../../parts/segments.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import {
  FIGURE_NAMES,
  type FigureName,
  figureOf,
  RANGES,
  rangeOf,
  startOf,
  type Step,
  stepsOf,
  totalOf,
} from './series.ts';
import { LoginChart } from './login-chart.tsx';
import { figureColumns, StepTable } from './step-table.tsx';

const RANGE_TABS = [
  { name: 'day', title: 'range.day' },
  { name: '', title: 'range.two' },
  { name: 'quarter', title: 'range.quarter' },
] as const;

export function Usage() {
  const { say } = useTexts();
  const { search } = useView();
  const range = rangeOf(search['range']);
  const query = { interval: RANGES[range].interval, from: startOf(range, Date.now()) };
  const activity = useCall(useTenant(), 'audit.list_activity', { query });
  return (
    <Page
      title={say('usage')}
      about={say('activityHint')}
      actions={<Segments to="/usage" name="range" choices={RANGE_TABS} current={range} />}
    >
      <Loaded query={activity} route="audit.list_activity" rows={10}>
        {(answer) => <Charts answer={answer} />}
      </Loaded>
      {!activity.isPending && <ApiCall route="audit.list_activity" input={{ query }} />}
    </Page>
  );
}

function Charts({ answer }: { readonly answer: AnswerOf<'audit.list_activity'> }) {
  const { say } = useTexts();
  const steps = stepsOf(answer);
  return (
    <div className="stack">
      <LoginChart steps={steps} />
      <div className="charts">
        {FIGURE_NAMES.map((name) => (
          <Figure key={name} name={name} steps={steps} />
        ))}
      </div>
      <p className="muted">{say('chartHint')}</p>
      <StepTable label={say('usage')} steps={steps} columns={figureColumns(say)} />
    </div>
  );
}

function Figure({ name, steps }: { readonly name: FigureName; readonly steps: readonly Step[] }) {
  const { say, number } = useTexts();
  const { good, bad } = totalOf(name, steps);
  const label = say(`figure.${name}`);
  const figures = steps.map((step) => figureOf(name, step));
  const series: Series[] = [
    {
      name: 'good',
      label: say('figureGood'),
      tone: 'c1',
      values: figures.map((figure) => figure.good),
    },
    {
      name: 'bad',
      label: say('figureBad'),
      tone: 'bad',
      values: figures.map((figure) => figure.bad),
    },
  ];
  return (
    <Card title={label}>
      <p className="total">
        <strong>{number(good)}</strong>
        {bad > 0 && <span className="wrong">{say(`wrong.${name}`, { count: bad })}</span>}
      </p>
      <Bars label={label} spans={steps} series={series} hasZone={false} />
    </Card>
  );
}
