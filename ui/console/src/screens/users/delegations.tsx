import { useCall } from '../../api/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { useTenant } from '../../url/params.ts';
import { DelegationList } from '../shared/delegation-list.tsx';

/** Shows what agents are allowed to do on behalf of a user, and for whom the user's own agents act. */
export function UserDelegations({ userId }: { readonly userId: string }) {
  const query = useCall(useTenant(), 'users.dependents', { params: { user_id: userId } });
  return (
    <Loaded query={query} route="users.dependents">
      {({ delegations }) => <DelegationList delegations={delegations} />}
    </Loaded>
  );
}
