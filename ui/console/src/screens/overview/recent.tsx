import { useCall } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Place } from '../../parts/place.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { ActivityFeed } from '../shared/activity-feed.tsx';

const SHOWN = 8;

/** The latest entries of the audit log. */
export function RecentActivity() {
  const { say } = useTexts();
  const query = useCall(useTenant(), 'audit.list', { query: { limit: SHOWN } });
  if (query.error?.status === 403) return null;
  return (
    <Card
      title={say('recent')}
      actions={
        <Place to="/audit">
          {say('audit')}
          <Icon name="arrow-right" />
        </Place>
      }
    >
      <Loaded query={query} route="audit.list" rows={SHOWN}>
        {({ items }) => <ActivityFeed items={items} />}
      </Loaded>
    </Card>
  );
}
