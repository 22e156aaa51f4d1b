import type { UseQueryResult } from '@tanstack/react-query';
import type { FieldFacts } from '../../api/field-facts.ts';
import type { Problem } from '../../api/problem.ts';
import { useCall } from '../../api/queries.ts';
import type { AnswerOf } from '../../api/routes.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTenant } from '../../url/params.ts';

/** Returns the existing roles, if the caller can read them. */
export function useRoles(): UseQueryResult<AnswerOf<'roles.list'>, Problem> {
  const { can } = useCaller();
  return useCall(useTenant(), 'roles.list', { query: { limit: 100 } }, can('read:roles'));
}

/** Returns the fields of a form, where `roles` are chosen from the existing roles. */
export function useRoleFacts(facts: readonly FieldFacts[]): readonly FieldFacts[] {
  const { data: roles } = useRoles();
  const isWhole = roles !== undefined && roles.meta.next_cursor === undefined;
  if (!isWhole) return facts;
  const choices = roles.items.map(({ name }) => name);
  const about = Object.fromEntries(roles.items.map(({ name, description }) => [name, description]));
  return facts.map((field) =>
    field.name === 'roles' ? { ...field, kind: 'choices', choices, about, isRaw: true } : field,
  );
}
