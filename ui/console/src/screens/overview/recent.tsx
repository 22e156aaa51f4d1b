import { useCall } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Place } from '../../parts/place.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

const SHOWN = 8;

/** The latest entries of the audit log. */
export function RecentChanges() {
  const { say } = useTexts();
  const query = useCall(useTenant(), 'audit.list', { query: { limit: SHOWN } });
  if (query.error?.status === 403) return null;
  return (
    <Card title={say('recent')} actions={<Place to="/audit">{say('audit')}</Place>}>
      <Loaded query={query} route="audit.list" rows={SHOWN}>
        {({ items }) => (
          <ul className="checks">
            {items.map(({ id, action, created_at: at, actor }) => (
              <li key={id}>
                <Time at={at} />
                <span>
                  <bdi className="mono">{action}</bdi>{' '}
                  {actor.id !== null && (
                    <span className="muted">
                      <Id id={actor.id} />
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
