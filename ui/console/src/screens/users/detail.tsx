import type { User } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { ActiveState } from '../../parts/state.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { ExplainLink } from '../access-check/link.tsx';
import { AgentTable } from '../shared/agent-table.tsx';
import { AuditTable } from '../shared/audit-table.tsx';
import { SessionTable } from '../shared/session-table.tsx';
import { moreUserActions, UserActions } from './actions.tsx';
import { UserConsents } from './consents.tsx';
import { UserDelegations } from './delegations.tsx';
import { UserFactors } from './factors.tsx';
import { nameOfUser } from '../../api/users.ts';
import { UserPermissionList } from './permissions.tsx';
import { UserProfile } from './profile.tsx';

const TABS = [
  { id: '', title: 'profile' },
  { id: 'permissions', title: 'permissions' },
  { id: 'sessions', title: 'sessions' },
  { id: 'factors', title: 'factors' },
  { id: 'agents', title: 'agents' },
  { id: 'consents', title: 'consents' },
  { id: 'delegations', title: 'delegations' },
  { id: 'audit', title: 'audit' },
] as const;

export function UserDetail() {
  const { say } = useTexts();
  const { can } = useCaller();
  const id = useParam('id');
  const query = useCall(useTenant(), 'users.get', { params: { user_id: id } });
  return (
    <Loaded query={query} route="users.get" isScreen>
      {(user) => (
        <Page
          title={nameOfUser(user)}
          avatar={<Avatar id={user.id} name={nameOfUser(user)} />}
          state={<ActiveState isActive={user.is_active} />}
          actions={
            <>
              <ExplainLink subject={user.id} />
              <UserActions user={user} />
            </>
          }
          more={moreUserActions({ user, can })}
          from={{ to: '/users', title: say('users') }}
        >
          <Tabs label={nameOfUser(user)} path={`/users/${id}`} tabs={TABS} />
          <Open user={user} />
        </Page>
      )}
    </Loaded>
  );
}

function Open({ user }: { readonly user: User }) {
  switch (useTab()) {
    case 'permissions':
      return <UserPermissionList userId={user.id} />;
    case 'sessions':
      return <SessionTable fixed={{ user_id: user.id }} />;
    case 'factors':
      return <UserFactors userId={user.id} />;
    case 'agents':
      return <AgentTable fixed={{ owner_id: user.id }} />;
    case 'consents':
      return <UserConsents userId={user.id} />;
    case 'delegations':
      return <UserDelegations userId={user.id} />;
    case 'audit':
      return <AuditTable fixed={{ target: user.id }} />;
    default:
      return <UserProfile user={user} />;
  }
}
