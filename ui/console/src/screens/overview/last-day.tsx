import { useCall } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Place } from '../../parts/place.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { type FigureName, lastTwoDays, type Step, stepsOf, totalOf } from '../usage/series.ts';

const SHOWN: readonly FigureName[] = ['logins', 'requests', 'sessions', 'deliveries'];

/** What happened in the last 24 hours, compared with the day before. */
export function LastDay() {
  const { say } = useTexts();
  const query = { interval: 'hour' } as const;
  const activity = useCall(useTenant(), 'audit.list_activity', { query });
  if (activity.error?.status === 403) return null;
  return (
    <Card title={say('lastDay')} actions={<Place to="/usage">{say('usage')}</Place>}>
      <Loaded query={activity} route="audit.list_activity" rows={4}>
        {(answer) => {
          const [last, before] = lastTwoDays(stepsOf(answer));
          return (
            <ul className="checks">
              {SHOWN.map((name) => (
                <Line key={name} name={name} last={last} before={before} />
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}

interface Props {
  readonly name: FigureName;
  readonly last: readonly Step[];
  readonly before: readonly Step[];
}

function Line({ name, last, before }: Props) {
  const { say, number } = useTexts();
  const now = totalOf(name, last);
  const then = totalOf(name, before);
  return (
    <li>
      <span className="muted">{say(`figure.${name}`)}</span>
      <span>
        <strong>{number(now.good)}</strong>{' '}
        <span className="muted">{changeOf(now.good, then.good, say)}</span>
        {now.bad > 0 && (
          <>
            {' · '}
            <span className="wrong">{say(`wrong.${name}`, { count: now.bad })}</span>{' '}
            <span className="muted">{changeOf(now.bad, then.bad, say)}</span>
          </>
        )}
      </span>
    </li>
  );
}

function changeOf(now: number, then: number, say: ReturnType<typeof useTexts>['say']): string {
  if (now === then) return `(${say('asBefore')})`;
  return `(${then === 0 ? say('nothingBefore') : say('figureBefore', { count: then })})`;
}
