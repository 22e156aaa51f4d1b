import { createContext, use } from 'react';
import { Address } from './address.tsx';
import { Id } from './id.tsx';

/** Names of users by id, in a list that read them. */
export const UserNames = createContext<ReadonlyMap<string, string>>(new Map());

/** What a user logs in with where it was read; else the id, as for everything else that has one. */
export function UserName({ id }: { readonly id: string }) {
  const name = use(UserNames).get(id);
  if (name === undefined) return <Id id={id} />;
  return (
    <span className="user-name" title={id}>
      <Address text={name} />
    </span>
  );
}
