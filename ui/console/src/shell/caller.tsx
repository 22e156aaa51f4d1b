import { missingScopes } from '@keywright/contract/scopes';
import type { Agent, User } from '@keywright/sdk';
import { createContext, type ReactNode, use } from 'react';
import type { Problem } from '../api/problem.ts';
import { useCall } from '../api/queries.ts';
import { HOME } from '../url/home.ts';
import { isInside } from '../url/inside.ts';
import { useTenant } from '../url/params.ts';

/** A role that only users of the default tenant can have. */
const SYSTEM_ADMIN = 'system_admin';

export interface Caller {
  /** Empty until it is known. */
  readonly id: string;
  /** Display name of the caller. */
  readonly name: string;
  /** Identifier of a caller who also has a name. */
  readonly identifier: string | undefined;
  readonly picture: string | null;
  /** Whether the caller's permissions are known. Until then nothing is offered. */
  readonly isLoaded: boolean;
  /** Whether the caller is being read. After that, the permissions are known, or could not be read. */
  readonly isPending: boolean;
  /** Why the permissions could not be read. */
  readonly problem: Problem | null;
  /** Reads the permissions again. */
  readonly retry: () => void;
  readonly can: (scope: string) => boolean;
  readonly roles: readonly string[];
  /** Undefined until it is known. */
  readonly tenantName: string | undefined;
  /** Whether the caller works across all tenants. */
  readonly isSystemAdministrator: boolean;
}

const Context = createContext<Caller | undefined>(undefined);

/** Fetches the caller once, for everything inside. */
export function CallerProvider({ children }: { readonly children: ReactNode }) {
  const tenant = useTenant();
  const record = useCall(isInside ? HOME : tenant, 'me.get', {});
  const permissions = useCall(tenant, 'me.permissions', {});
  const me = record.data;
  const { scopes, roles = [], tenant_name: tenantName } = permissions.data ?? {};
  const caller: Caller = {
    id: me?.id ?? '',
    ...appearanceOf(me),
    isLoaded: scopes !== undefined,
    isPending: record.isPending || permissions.isPending,
    problem: permissions.data ? null : permissions.error,
    retry: () => void permissions.refetch(),
    can: (scope) => scopes !== undefined && missingScopes(scopes, [scope]).length === 0,
    roles,
    tenantName,
    isSystemAdministrator: tenant === HOME && roles.includes(SYSTEM_ADMIN),
  };
  return <Context value={caller}>{children}</Context>;
}

function appearanceOf(
  me: User | Agent | undefined,
): Pick<Caller, 'name' | 'identifier' | 'picture'> {
  if (!me) return { name: '', identifier: undefined, picture: null };
  if (!('identifiers' in me)) return { name: me.name, identifier: undefined, picture: null };
  const { name, picture, identifiers } = me;
  const identifier = identifiers[0]?.identifier;
  if (name === null) return { name: identifier ?? me.id, identifier: undefined, picture };
  return { name, identifier, picture };
}

export function useCaller(): Caller {
  const caller = use(Context);
  if (!caller) throw new Error('The caller is used within its provider.');
  return caller;
}
