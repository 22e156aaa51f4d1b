import type { Role, User } from '@keywright/sdk';
import { missingScopes } from '@keywright/contract/scopes';
import { useCall } from '../../api/queries.ts';
import { nameOfUser } from '../../api/users.ts';
import { Action } from '../../parts/action.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import type { Question } from './chain.ts';

const ROLES = { query: { limit: 100 } };

/** Offers the role with the fewest permissions that grants the scope to the user. */
export function Remedy({ question: { subject, scope } }: { readonly question: Question }) {
  const tenant = useTenant();
  const { can } = useCaller();
  const mayGive = subject.startsWith('user:') && can('write:users') && can('read:roles');
  const input = { params: { user_id: subject } } as never;
  const user = useCall(tenant, 'users.get', input, mayGive).data;
  const roles = useCall(tenant, 'roles.list', ROLES, mayGive).data?.items ?? [];
  const role = user?.is_active ? narrowestOf(roles, scope, can) : undefined;
  if (!user || !role) return null;
  return <Give user={user} role={role} />;
}

/**
 * Returns the role that grants the scope and the fewest others, among those that the caller can give. A role with
 * wildcards grants too much to be offered.
 */
function narrowestOf(
  roles: readonly Role[],
  scope: string,
  can: (scope: string) => boolean,
): Role | undefined {
  return roles
    .filter(({ scopes }) => missingScopes(scopes, [scope]).length === 0 && scopes.every(can))
    .filter(({ scopes }) => !scopes.some((granted) => granted.includes('*')))
    .toSorted((a, b) => a.scopes.length - b.scopes.length)[0];
}

function Give({ user, role }: { readonly user: User; readonly role: Role }) {
  const { say } = useTexts();
  const name = nameOfUser(user);
  const body = { roles: [...user.roles, role.name] };
  return (
    <div className="actions">
      <Action
        route="users.update"
        input={{ params: { user_id: user.id }, body }}
        icon="shield-check"
        verb={say('giveRoleNamed', { role: role.name })}
        title={say('giveRoleTitle', { role: role.name, name })}
        done={say('roleGiven', { role: role.name, name })}
        isBad={false}
        isNext
      >
        <p>{say('giveRoleHint', { name, scopes: role.scopes.join(', ') })}</p>
      </Action>
    </div>
  );
}
