import { useCall } from '../api/queries.ts';
import { nameOfUser } from '../api/users.ts';
import { useCaller } from '../shell/caller.tsx';
import { useTenant } from '../url/params.ts';
import { Address } from './address.tsx';
import { Avatar } from './avatar.tsx';
import { Id } from './id.tsx';
import { Place } from './place.tsx';

/** Shows a user by name, to callers who can read users. */
export function UserLink({ id }: { readonly id: string }) {
  const mayRead = useCaller().can('read:users');
  const params = { user_id: id };
  const { data: user, isLoading } = useCall(useTenant(), 'users.get', { params }, mayRead);
  if (isLoading) {
    return (
      <span className="who" aria-busy="true">
        <Avatar id={id} name="" />
      </span>
    );
  }
  if (!user) return <Id id={id} canCopy />;
  return (
    <Place to={`/users/${id}`} className="who">
      <Avatar id={id} name={nameOfUser(user)} picture={user.picture} />
      <Address text={nameOfUser(user)} />
    </Place>
  );
}
