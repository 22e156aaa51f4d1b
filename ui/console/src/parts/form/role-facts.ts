import type { Role } from '@keywright/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import type { FieldFacts } from '../../api/field-facts.ts';
import type { Problem } from '../../api/problem.ts';
import { useCall } from '../../api/queries.ts';
import type { AnswerOf } from '../../api/routes.ts';
import { useCaller } from '../../shell/caller.tsx';
import type { TextKey } from '../../texts/locales.ts';
import { type Texts, useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

/** Returns the existing roles, if the caller can read them. */
export function useRoles(): UseQueryResult<AnswerOf<'roles.list'>, Problem> {
  const { can } = useCaller();
  return useCall(useTenant(), 'roles.list', { query: { limit: 100 } }, can('read:roles'));
}

/** The descriptions of the roles that every tenant has, which are in English in the API. */
const BUILT_IN: Readonly<Record<string, TextKey>> = {
  admin: 'roleAbout.admin',
  member: 'roleAbout.member',
};

export function aboutRole({ name, description, is_builtin: isBuiltin }: Role, say: Texts['say']) {
  const key = isBuiltin ? BUILT_IN[name] : undefined;
  return key === undefined ? description : say(key);
}

/** Returns the fields of a form, where `roles` are chosen from the existing roles. */
export function useRoleFacts(facts: readonly FieldFacts[]): readonly FieldFacts[] {
  const { say } = useTexts();
  const { data: roles } = useRoles();
  const isWhole = roles !== undefined && roles.meta.next_cursor === undefined;
  if (!isWhole) return facts;
  const choices = roles.items.map(({ name }) => name);
  const about = Object.fromEntries(roles.items.map((role) => [role.name, aboutRole(role, say)]));
  return facts.map((field) =>
    field.name === 'roles' ? { ...field, kind: 'choices', choices, about, isRaw: true } : field,
  );
}
