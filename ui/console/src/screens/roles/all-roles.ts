import type { Role } from '@keywright/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Problem } from '../../api/problem.ts';
import { useCall } from '../../api/queries.ts';
import type { AnswerOf } from '../../api/routes.ts';
import { useTenant } from '../../url/params.ts';

const MOST = { query: { limit: 100 } };

/** Returns the first hundred roles. Few tenants have that many. */
export function useRoles(isEnabled = true): UseQueryResult<AnswerOf<'roles.list'>, Problem> {
  return useCall(useTenant(), 'roles.list', MOST, isEnabled);
}

export function scopesOfRole(roles: readonly Role[], role: string): readonly string[] {
  return roles.find(({ name }) => name === role)?.scopes ?? [];
}
