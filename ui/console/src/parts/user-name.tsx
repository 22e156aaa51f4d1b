import { createContext, use } from 'react';
import { Address } from './address.tsx';
import { Id } from './id.tsx';

/** Names of users by ID, in a list that has loaded them. */
export const UserNames = createContext<ReadonlyMap<string, string>>(new Map());

/** Shows a user's name if it was loaded; otherwise the ID, as for all other records. */
export function UserName({ id }: { readonly id: string }) {
  const name = use(UserNames).get(id);
  if (name === undefined) return <Id id={id} />;
  return (
    <span className="user-name" title={id}>
      <Address text={name} />
    </span>
  );
}
