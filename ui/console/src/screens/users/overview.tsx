import type { User } from '@keywright/sdk';
import { userUpdate } from '../../generated/facts.ts';
import { useCall } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { WithRail } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { State } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { ActivityFeed } from '../shared/activity-feed.tsx';
import { EditCard } from '../shared/edit-card.tsx';
import { UserDangers } from './actions.tsx';
import { UserIdentifiers } from './identifiers.tsx';
import { MetadataCard } from './metadata/card.tsx';
import { PictureCard } from './picture-card.tsx';
import { RolesCard } from './roles-card.tsx';
import { queryOfSessions, SignedInOn } from './signed-in-on.tsx';

const RECENT = 5;
const DETAILS = ['name', 'picture', 'user_metadata'];
const ICONS: Readonly<Record<string, IconName>> = {
  passkey: 'fingerprint-pattern',
  totp: 'smartphone',
  recovery_codes: 'key-round',
};

interface Props {
  readonly user: User;
}

export function UserOverview({ user }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const tenant = useTenant();
  const id = user.id;
  const parts = [
    useCall(tenant, 'users.list_factors', { params: { user_id: id } }),
    useCall(tenant, 'sessions.list', { query: queryOfSessions(id) }, can('read:sessions')),
    useCall(tenant, 'audit.list', { query: { target: id, limit: RECENT } }, can('read:audit')),
  ];
  // All cards appear together, so that none pushes another one down.
  if (parts.some(({ isLoading }) => isLoading)) {
    return (
      <div className="card" role="status" aria-busy="true" aria-label={say('loading')}>
        <Skeleton rows={8} />
      </div>
    );
  }
  return (
    <div className="stack">
      <WithRail
        rail={
          <>
            <Protection user={user} />
            <RolesCard user={user} isNarrow />
            <Details user={user} />
            <PictureCard user={user} />
          </>
        }
      >
        <UserIdentifiers user={user} />
        {can('read:sessions') && <SignedInOn user={user} />}
        {can('read:audit') && <Recent user={user} />}
        <MetadataCard user={user} />
      </WithRail>
      <UserDangers user={user} />
    </div>
  );
}

/** The latest changes to the user. */
function Recent({ user }: Props) {
  const { say } = useTexts();
  const query = useCall(useTenant(), 'audit.list', { query: { target: user.id, limit: RECENT } });
  return (
    <Card
      title={say('recent')}
      actions={
        <Place to={`/users/${user.id}`} search={{ tab: 'activity' }}>
          {say('history')}
          <Icon name="arrow-right" />
        </Place>
      }
    >
      <Loaded query={query} route="audit.list" rows={RECENT}>
        {({ items }) => <ActivityFeed items={items} />}
      </Loaded>
    </Card>
  );
}

/** How the user proves who they are, in addition to a password. */
function Protection({ user }: Props) {
  const { say, name: nameOf } = useTexts();
  const params = { user_id: user.id };
  const query = useCall(useTenant(), 'users.list_factors', { params });
  return (
    <Card
      title={say('userProtection')}
      actions={
        <Place to={`/users/${user.id}`} search={{ tab: 'security' }}>
          {say('security')}
          <Icon name="arrow-right" />
        </Place>
      }
    >
      <Loaded query={query} route="users.list_factors" rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <State word={say('protectionNone')} tone="warn" />
          ) : (
            <ul className="lines">
              {items.map(({ id, type, name, created_at: at }) => (
                <li key={id}>
                  <Icon name={ICONS[type] ?? 'shield'} />
                  <div className="grows">
                    <bdi>{name}</bdi>
                    {name !== nameOf(type) && <span className="muted"> {nameOf(type)}</span>}
                  </div>
                  <span className="muted">
                    <Time at={at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function Details({ user }: Props) {
  const { say } = useTexts();
  return (
    <EditCard
      title={say('details')}
      route="users.update"
      scope="write:users"
      facts={userUpdate}
      fields={DETAILS}
      params={{ user_id: user.id }}
      present={user}
      rows={[
        [say('id'), <Id key="id" id={user.id} canCopy />],
        [say('created'), <Time key="created" at={user.created_at} isWhole />],
        [say('lastSignIn'), <Time key="last" at={user.last_login_at} isWhole />],
      ]}
      isNarrow
    />
  );
}
