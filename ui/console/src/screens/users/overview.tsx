import type { User } from '@keywright/sdk';
import { userUpdate } from '../../generated/facts.ts';
import { useCall } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { WithRail } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { State } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { EditCard } from '../shared/edit-card.tsx';
import { UserDangers } from './actions.tsx';
import { UserIdentifiers } from './identifiers.tsx';
import { MetadataCard } from './metadata/card.tsx';
import { RolesCard } from './roles-card.tsx';
import { SignedInOn } from './signed-in-on.tsx';

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
  const { can } = useCaller();
  return (
    <div className="stack">
      <WithRail
        rail={
          <>
            <Protection user={user} />
            <RolesCard user={user} isNarrow />
            <Details user={user} />
          </>
        }
      >
        <UserIdentifiers user={user} />
        {can('read:sessions') && <SignedInOn user={user} />}
        <MetadataCard user={user} />
      </WithRail>
      <UserDangers user={user} />
    </div>
  );
}

/** How the user proves who they are, in addition to a password. */
function Protection({ user }: Props) {
  const { say, name: nameOf } = useTexts();
  const params = { user_id: user.id };
  const query = useCall(useTenant(), 'users.list_factors', { params });
  return (
    <Card
      title={say('protection')}
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
