import type { User } from '@keywright/sdk';
import { userUpdate } from '../../generated/facts.ts';
import { Address } from '../../parts/address.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { RolesNote } from '../../parts/form/choice-notes.tsx';
import { useRoleFacts } from '../../parts/form/role-facts.ts';
import { Id } from '../../parts/id.tsx';
import { WithRail } from '../../parts/page.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { State } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ChangeCard } from '../shared/change-card.tsx';
import { YouNote } from '../shared/you-note.tsx';
import { MetadataCard } from './metadata/card.tsx';
import { nameOfUser } from '../../api/users.ts';
import { usePasswordFacts } from './password-facts.ts';

const PASSWORD = ['password'];
/** It is never shown. */
const NO_PASSWORD = {};
const CHANGED = ['roles', 'workspaces', 'identifiers', 'user_metadata'];

export function UserProfile({ user }: { readonly user: User }) {
  const { say } = useTexts();
  return (
    <WithRail
      rail={
        <Card title={say('profile')}>
          <Facts
            isNarrow
            rows={[
              [say('id'), <Id key="id" id={user.id} canCopy />],
              [say('identifier'), <Identifiers key="identifiers" user={user} />],
              [say('roles'), <Scopes key="roles" scopes={user.roles} />],
              [say('workspaces'), <Scopes key="workspaces" scopes={user.workspaces} />],
              [say('created'), <Time key="created" at={user.created_at} isWhole />],
            ]}
          />
        </Card>
      }
    >
      <Change user={user} />
      <MetadataCard user={user} />
      <Password user={user} />
    </WithRail>
  );
}

function Identifiers({ user: { identifiers } }: { readonly user: User }) {
  const { say } = useTexts();
  if (identifiers.length === 0) return <span className="muted">{say('noIdentifier')}</span>;
  return (
    <ul className="chipless">
      {identifiers.map(({ identifier, verified }) => (
        <li key={identifier}>
          <Address text={identifier} />{' '}
          <State word={say(verified ? 'verified' : 'unverified')} tone={verified ? 'ok' : 'warn'} />
        </li>
      ))}
    </ul>
  );
}

function Change({ user }: { readonly user: User }) {
  const { id } = useCaller();
  return (
    <ChangeCard
      route="users.update"
      scope="write:users"
      facts={useRoleFacts(userUpdate)}
      notes={<RolesNote />}
      fields={CHANGED}
      params={{ user_id: user.id }}
      present={user}
      preview={({ roles }) =>
        id === user.id && losesRole(user, roles) && <YouNote text="youLosePermissions" />
      }
    />
  );
}

function losesRole(user: User, roles: unknown): boolean {
  return Array.isArray(roles) && user.roles.some((role) => !roles.includes(role));
}

/** Separate, because browsers store the field next to a password as its username. */
function Password({ user }: { readonly user: User }) {
  const { say } = useTexts();
  return (
    <ChangeCard
      route="users.update"
      scope="write:users"
      facts={usePasswordFacts(userUpdate)}
      fields={PASSWORD}
      params={{ user_id: user.id }}
      present={NO_PASSWORD}
      title={say('setPassword')}
      username={nameOfUser(user)}
    />
  );
}
