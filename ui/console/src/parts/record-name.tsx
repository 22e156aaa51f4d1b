import { useCall } from '../api/queries.ts';
import { useCaller } from '../shell/caller.tsx';
import { useTenant } from '../url/params.ts';
import { Id } from './id.tsx';

/** Records beyond the first hundred are shown by ID. */
const FIRST = { query: { limit: 100 } };

interface Names {
  readonly names: ReadonlyMap<string, string>;
  readonly isPending: boolean;
}

/** Returns the names of the tenant's workspaces by ID, if the caller can read them. */
export function useWorkspaceNames(): Names {
  const { can } = useCaller();
  return namesIn(useCall(useTenant(), 'workspaces.list', FIRST, can('read:workspaces')));
}

/** Returns the names of the tenant's applications by ID, if the caller can read them. */
export function useClientNames(): Names {
  const { can } = useCaller();
  return namesIn(useCall(useTenant(), 'clients.list', FIRST, can('read:clients')));
}

interface Query {
  readonly data:
    | { readonly items: readonly { readonly id: string; readonly name: string }[] }
    | undefined;
  readonly isLoading: boolean;
}

function namesIn({ data, isLoading }: Query): Names {
  const items = data?.items ?? [];
  return { names: new Map(items.map(({ id, name }) => [id, name])), isPending: isLoading };
}

export function WorkspaceName({ id }: { readonly id: string }) {
  const name = useWorkspaceNames().names.get(id);
  return name === undefined ? <Id id={id} /> : <bdi>{name}</bdi>;
}
