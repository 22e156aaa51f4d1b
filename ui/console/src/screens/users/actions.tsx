import type { User } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { nameOfUser } from '../../api/users.ts';
import { Action } from '../../parts/action.tsx';
import { DependentList } from '../shared/dependents.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { type Caller, useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { DangerZone } from '../shared/danger-zone.tsx';
import { YouNote } from '../shared/you-note.tsx';
import { SetPassword } from './set-password.tsx';

interface Props {
  readonly user: User;
}

/** Returns the actions of the menu; null: the caller can perform none. */
export function moreUserActions({ user, can }: Props & Pick<Caller, 'can'>): ReactNode {
  if (!can('write:users') && !can('delete:users')) return null;
  return (
    <>
      {can('write:users') && user.is_active && <Recover user={user} />}
      {can('write:users') && <SetPassword user={user} />}
      {can('write:users') && (user.is_active ? <Disable user={user} /> : <Enable user={user} />)}
      {can('delete:users') && <Delete user={user} />}
    </>
  );
}

/** Sends the user a link to set another password. */
export function Recover({ user }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="users.recover"
      input={{ params: { user_id: user.id } }}
      icon="send"
      verb={say('recoverSend')}
      title={say('recoverTitle', { name: nameOfUser(user) })}
      done={({ sent_to: address }) => say('recoverSent', { address })}
      isBad={false}
    >
      <p>{say('recoverHint')}</p>
    </Action>
  );
}

/** Forgets the wrong passwords and codes of the user. */
export function Unlock({ user }: Props) {
  const { say } = useTexts();
  const name = nameOfUser(user);
  return (
    <Action
      route="users.unlock"
      input={{ params: { user_id: user.id } }}
      verb={say('unlock')}
      title={say('unlockTitle', { name })}
      done={say('unlocked', { name })}
      isBad={false}
    >
      <p>{say('unlockHint')}</p>
    </Action>
  );
}

/** Ends all sessions of the user. */
export function EndSessions({ user }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="sessions.delete_all"
      input={{ query: { user_id: user.id } }}
      icon="log-out"
      verb={say('endSessions')}
      title={say('endSessionsTitle', { name: nameOfUser(user) })}
      done={({ revoked }) => say('sessionsEnded', { count: revoked })}
      isBad={false}
    >
      <p>{say('endSessionsHint')}</p>
    </Action>
  );
}

function Disable({ user }: Props) {
  const { say } = useTexts();
  const name = nameOfUser(user);
  return (
    <Action
      route="users.disable"
      input={{ params: { user_id: user.id }, body: { reason: '' } }}
      icon="ban"
      verb={say('disable')}
      title={say('disableTitle', { name })}
      done={say('disabled', { name })}
      hasReason
    >
      <You user={user} />
      <p>{say('disableHint', { name })}</p>
      <Dependents user={user} />
    </Action>
  );
}

export function Enable({ user }: Props) {
  const { say } = useTexts();
  const name = nameOfUser(user);
  return (
    <Action
      route="users.update"
      input={{ params: { user_id: user.id }, body: { is_active: true } }}
      icon="circle-check"
      verb={say('enable')}
      title={say('enableTitle', { name })}
      done={say('enabled', { name })}
      isBad={false}
    >
      <p>{say('enableHint')}</p>
    </Action>
  );
}

function Delete({ user }: Props) {
  const { say } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  const name = nameOfUser(user);
  return (
    <Action
      route="users.delete"
      input={{ params: { user_id: user.id } }}
      icon="trash-2"
      verb={say('delete')}
      title={say('deleteTitle', { name })}
      typed={name}
      done={say('deleted', { name })}
      then={() => void navigate({ to: `/t/${tenant}/users` })}
    >
      <You user={user} />
      <p>{say('deleteUserHint')}</p>
      <Dependents user={user} />
    </Action>
  );
}

/** The actions that end the user. */
export function UserDangers({ user }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const name = nameOfUser(user);
  return (
    <DangerZone
      dangers={[
        ...(can('write:users') && user.is_active
          ? [
              {
                title: say('disable'),
                about: say('disableAbout', { name }),
                action: <Disable user={user} />,
              },
            ]
          : []),
        ...(can('delete:users')
          ? [
              {
                title: say('delete'),
                about: say('deleteUserAbout', { name }),
                action: <Delete user={user} />,
              },
            ]
          : []),
      ]}
    />
  );
}

function You({ user }: Props) {
  return useCaller().id === user.id && <YouNote text="youLoseAccess" />;
}

function Dependents({ user }: Props) {
  const query = useCall(useTenant(), 'users.dependents', { params: { user_id: user.id } });
  return (
    <Loaded query={query} route="users.dependents" rows={2}>
      {(dependents) => <DependentList dependents={dependents} />}
    </Loaded>
  );
}
