import { useCall } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { useWorkspaceNames } from '../../parts/form/workspace-facts.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

/** Shows what the user is allowed to do, and which role grants it. */
export function UserPermissionList({ userId }: { readonly userId: string }) {
  const { say } = useTexts();
  const nameOf = useWorkspaceNames();
  const query = useCall(useTenant(), 'users.permissions', { params: { user_id: userId } });
  return (
    <Loaded query={query} route="users.permissions">
      {({ permissions, all_workspaces: isEverywhere, workspaces, is_active: isActive }) => (
        <Card title={say('permissions')}>
          <div className="stack">
            {!isActive && <p>{say('inactiveNoPermissions')}</p>}
            {permissions.length === 0 ? (
              <p className="muted">{say('permissionsNone')}</p>
            ) : (
              <table className="table" role="table">
                <thead role="rowgroup">
                  <tr role="row">
                    <th role="columnheader" scope="col">
                      {say('scopes')}
                    </th>
                    <th role="columnheader" scope="col">
                      {say('grantedBy')}
                    </th>
                  </tr>
                </thead>
                <tbody role="rowgroup">
                  {permissions.map(({ scope, granted_by: roles }) => (
                    <tr key={scope} role="row">
                      <td role="cell">
                        <bdi className="mono">{scope}</bdi>
                      </td>
                      <td role="cell" data-label={say('grantedBy')}>
                        {roles.map(({ role }) => (
                          <Place key={role} to={`/roles/${role}`}>
                            <bdi>{role}</bdi>{' '}
                          </Place>
                        ))}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            <p>{say(isEverywhere ? 'allWorkspaces' : 'inWorkspaces')}</p>
            {!isEverywhere && <Scopes scopes={workspaces.map(nameOf)} />}
          </div>
        </Card>
      )}
    </Loaded>
  );
}
