import type { User, UserDependents } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Place } from '../../parts/place.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { ActiveState } from '../../parts/state.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { DelegationList } from '../shared/delegation-list.tsx';
import { UserConsents } from './consents.tsx';
import { UserPermissionList } from './permissions.tsx';
import { RolesCard } from './roles-card.tsx';

interface Props {
  readonly user: User;
}

/** The permissions of a user, and the agents and applications that act for them. */
export function UserAccess({ user }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const params = { user_id: user.id };
  const tenant = useTenant();
  const dependents = useCall(tenant, 'users.dependents', { params });
  const permissions = useCall(tenant, 'users.permissions', { params });
  // All cards appear together, so that none pushes another one down.
  if (dependents.isLoading || permissions.isLoading) {
    return (
      <div className="card" role="status" aria-busy="true" aria-label={say('loading')}>
        <Skeleton rows={8} />
      </div>
    );
  }
  return (
    <div className="stack">
      <RolesCard user={user} />
      <UserPermissionList userId={user.id} />
      <Loaded query={dependents} route="users.dependents">
        {({ agents, delegations }) => (
          <>
            {agents.total > 0 && <OwnedAgents agents={agents} />}
            {delegations.total > 0 && <DelegationList delegations={delegations} isOfUser />}
          </>
        )}
      </Loaded>
      {can('read:consents') && (
        <section className="stack" aria-label={say('consents')}>
          <h2>{say('consents')}</h2>
          <UserConsents userId={user.id} />
        </section>
      )}
    </div>
  );
}

function OwnedAgents({ agents: { items, total } }: Pick<UserDependents, 'agents'>) {
  const { say } = useTexts();
  return (
    <Card title={say('agents')}>
      <ul className="lines">
        {items.map(({ id, name, is_active: isActive }) => (
          <li key={id}>
            <div className="grows">
              <Place to={`/agents/${id}`} className="who">
                <Avatar id={id} name={name} isSquare />
                <bdi>{name}</bdi>
              </Place>
            </div>
            <ActiveState isActive={isActive} />
          </li>
        ))}
      </ul>
      {total > items.length && (
        <p className="muted">{say('andMore', { count: total - items.length })}</p>
      )}
    </Card>
  );
}
