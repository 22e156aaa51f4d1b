import { useCall } from '../../api/queries.ts';
import type { AnswerOf } from '../../api/routes.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { Chart } from './chart.tsx';
import { startOf, FIGURE_NAMES, methodsOf, RANGES, rangeOf, stepsOf, totalOf } from './series.ts';
import { StepTable } from './step-table.tsx';

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
    <Page title={say('usage')} about={say('activityHint')}>
      <nav aria-label={say('period')}>
        <ul className="tabs">
          {RANGE_TABS.map(({ name, title }) => (
            <li key={name}>
              <Place
                to="/usage"
                search={name === '' ? {} : { range: name }}
                isCurrent={name === range}
              >
                {say(title)}
              </Place>
            </li>
          ))}
        </ul>
      </nav>
      <Loaded query={activity} route="audit.list_activity" rows={10}>
        {(answer) => <Charts answer={answer} />}
      </Loaded>
      {!activity.isPending && <ApiCall route="audit.list_activity" input={{ query }} />}
    </Page>
  );
}

function Charts({ answer }: { readonly answer: AnswerOf<'audit.list_activity'> }) {
  const { say, name: nameOf, number } = useTexts();
  const steps = stepsOf(answer);
  const methods = methodsOf(steps);
  return (
    <div className="stack">
      <div className="charts">
        {FIGURE_NAMES.map((name) => {
          const { good, bad } = totalOf(name, steps);
          const label = say(`figure.${name}`);
          return (
            <Card key={name} title={label}>
              <p className="total">
                <strong>{number(good)}</strong>
                {bad > 0 && <span className="wrong">{say(`wrong.${name}`, { count: bad })}</span>}
              </p>
              <Chart name={name} steps={steps} label={label} />
              {name === 'logins' && methods.length > 0 && (
                <p className="muted">
                  {methods.map(([method, n]) => `${nameOf(method)}: ${number(n)}`).join(' · ')}
                </p>
              )}
            </Card>
          );
        })}
      </div>
      <p className="muted">{say('chartHint')}</p>
      <StepTable steps={steps} />
    </div>
  );
}
