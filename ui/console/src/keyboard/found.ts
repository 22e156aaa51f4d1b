import type { User } from '@keywright/sdk';
import { useCall } from '../api/queries.ts';
import type { IconName } from '../parts/icon.tsx';
import { useCaller } from '../shell/caller.tsx';
import { HOME } from '../url/home.ts';
import { addressOf } from '../url/inside.ts';
import { useTenant } from '../url/params.ts';
import type { Entry, EntryGroup } from './entries.ts';

/** Of each kind. */
const MOST = 5;
const SHORTEST = 2;

interface Found {
  readonly groups: readonly EntryGroup[];
  readonly isPending: boolean;
}

/** Returns the records whose name contains a text, as far as the caller can read them. */
export function useFound(text: string): Found {
  const tenant = useTenant();
  const { can, isSystemAdministrator } = useCaller();
  const isLong = text.length >= SHORTEST;
  const may = (scope: string) => isLong && can(scope);
  const byName = { query: { limit: MOST, search: text } };
  const users = useCall(tenant, 'users.list', byName, may('read:users'));
  const clients = useCall(tenant, 'clients.list', byName, may('read:clients'));
  const agents = useCall(tenant, 'agents.list', byName, may('read:agents'));
  const roles = useCall(tenant, 'roles.list', byName, may('read:roles'));
  const tenants = useCall(HOME, 'tenants.list', byName, isLong && isSystemAdministrator);
  const isPending = [users, clients, agents, roles, tenants].some(({ isLoading }) => isLoading);
  if (!isLong) return { groups: [], isPending };
  const named = (items: readonly Named[] = [], icon: IconName, list: string) =>
    items.map(({ id, name }) => ({ to: `${list}/${id ?? name}`, icon, text: name }));
  const groups: EntryGroup[] = [
    { title: 'users', entries: (users.data?.items ?? []).map(entryOfUser) },
    { title: 'clients', entries: named(clients.data?.items, 'app-window', '/clients') },
    { title: 'agents', entries: named(agents.data?.items, 'bot', '/agents') },
    { title: 'roles', entries: named(roles.data?.items, 'shield', '/roles') },
    { title: 'tenants', entries: (tenants.data?.items ?? []).map(entryOfTenant) },
  ];
  return { groups: groups.filter(({ entries }) => entries.length > 0), isPending };
}

interface Named {
  /** A role has none. */
  readonly id?: string;
  readonly name: string;
}

function entryOfUser({ id, name, identifiers: [first] }: User): Entry {
  const entry = { to: `/users/${id}`, icon: 'user' } as const;
  if (name === null || first === undefined) return { ...entry, text: first?.identifier ?? id };
  return { ...entry, text: name, about: first.identifier };
}

function entryOfTenant({ id, name }: { readonly id: string; readonly name: string }): Entry {
  const to = addressOf(id);
  return { to, isElsewhere: true, icon: 'building-2', text: name, about: id };
}
