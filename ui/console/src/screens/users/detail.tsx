import type { User } from '@keywright/sdk';
import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { nameOfUser } from '../../api/users.ts';
import { Address } from '../../parts/address.tsx';
import { Avatar } from '../../parts/avatar.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { ActiveState } from '../../parts/state.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { ExplainLink } from '../access-check/link.tsx';
import { AuditTable } from '../shared/audit-table.tsx';
import { SessionTable } from '../shared/session-table.tsx';
import { UserAccess } from './access.tsx';
import { EndSessions, moreUserActions } from './actions.tsx';
import { LatestRefusal, SignInAttempts } from './attempts/sign-in-attempts.tsx';
import { UserOverview } from './overview.tsx';
import { UserSecurity } from './security.tsx';

const TABS = [
  { id: '', title: 'overview' },
  { id: 'sessions', title: 'sessions' },
  { id: 'security', title: 'security' },
  { id: 'access', title: 'access' },
  { id: 'activity', title: 'history' },
] as const;

export function UserDetail() {
  const { say } = useTexts();
  const { can } = useCaller();
  const id = useParam('id');
  const isFirst = useTab() === '';
  const query = useCall(useTenant(), 'users.get', { params: { user_id: id } });
  return (
    <Loaded query={query} route="users.get" isScreen>
      {(user) => (
        <Page
          title={nameOfUser(user)}
          avatar={<Avatar id={user.id} name={nameOfUser(user)} picture={user.picture} />}
          state={<ActiveState isActive={user.is_active} />}
          about={<About user={user} />}
          actions={
            <>
              <ExplainLink subject={user.id} />
              {can('delete:sessions') && <EndSessions user={user} />}
            </>
          }
          more={moreUserActions({ user, can })}
          from={{ to: '/users', title: say('users') }}
        >
          <Tabs label={nameOfUser(user)} path={`/users/${id}`} tabs={TABS} />
          {isFirst && <LatestRefusal user={user} />}
          <Open user={user} />
        </Page>
      )}
    </Loaded>
  );
}

interface Props {
  readonly user: User;
}

function About({ user: { identifiers, last_login_at: lastLogin } }: Props): ReactNode {
  const { say } = useTexts();
  const [first] = identifiers;
  return (
    <span className="dotted">
      {first && (
        <span className="id">
          <Address text={first.identifier} /> <Copy text={first.identifier} of={first.identifier} />
        </span>
      )}
      <span>
        {say('lastSignIn')} <Time at={lastLogin} />
      </span>
    </span>
  );
}

function Open({ user }: Props) {
  switch (useTab()) {
    case 'sessions':
      return <SessionTable fixed={{ user_id: user.id }} />;
    case 'security':
      return <UserSecurity user={user} />;
    case 'access':
      return <UserAccess user={user} />;
    case 'activity':
      return (
        <div className="stack">
          <SignInAttempts user={user} />
          <AuditTable fixed={{ target: user.id }} />
        </div>
      );
    default:
      return <UserOverview user={user} />;
  }
}
