import { useCall } from '../../api/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { useTenant } from '../../url/params.ts';
import { DelegationList } from '../shared/delegation-list.tsx';

/** What agents may do in the name of a user, or of whom the user's agents are. */
export function UserDelegations({ userId }: { readonly userId: string }) {
  const query = useCall(useTenant(), 'users.dependents', { params: { user_id: userId } });
  return (
    <Loaded query={query} route="users.dependents">
      {({ delegations }) => <DelegationList delegations={delegations} />}
    </Loaded>
  );
}
