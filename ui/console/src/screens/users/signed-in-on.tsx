import type { User } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Place } from '../../parts/place.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { SessionLine } from '../shared/session-line.tsx';
import { EndSession } from '../shared/session-table.tsx';

const MOST = 3;

export const queryOfSessions = (userId: string) => ({
  user_id: userId,
  is_active: true,
  limit: MOST,
});

/** The newest live sessions of a user. */
export function SignedInOn({ user }: { readonly user: User }) {
  const { say } = useTexts();
  const query = queryOfSessions(user.id);
  const sessions = useCall(useTenant(), 'sessions.list', { query });
  return (
    <Card
      title={say('signedInOn')}
      actions={
        <Place to={`/users/${user.id}`} search={{ tab: 'sessions' }}>
          {say('allSessions')}
          <Icon name="arrow-right" />
        </Place>
      }
    >
      <Loaded query={sessions} route="sessions.list" rows={3}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">{say('signedInNowhere')}</p>
          ) : (
            <ul className="lines">
              {items.map((session) => (
                <li key={session.id}>
                  <SessionLine session={session} />
                  <EndSession session={session} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
