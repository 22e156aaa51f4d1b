import type { UseQueryResult } from '@tanstack/react-query';
import type { FieldFacts } from '../../api/field-facts.ts';
import type { Problem } from '../../api/problem.ts';
import { useCall } from '../../api/queries.ts';
import type { AnswerOf } from '../../api/routes.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTenant } from '../../url/params.ts';

/** Returns the existing workspaces, if the caller can read them. */
export function useWorkspaces(
  isNeeded = true,
): UseQueryResult<AnswerOf<'workspaces.list'>, Problem> {
  const { can } = useCaller();
  const query = { limit: 100 };
  return useCall(useTenant(), 'workspaces.list', { query }, isNeeded && can('read:workspaces'));
}

/** Returns how to name workspaces by ID. Those that the caller cannot read, or beyond the first hundred, have only an ID. */
export function useWorkspaceNames(): (id: string) => string {
  const { data } = useWorkspaces();
  const names = new Map(data?.items.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}

/** Returns the fields of a form, where workspaces are chosen by name if there are few enough to show. */
export function useWorkspaceFacts(
  facts: readonly FieldFacts[],
  isNeeded = true,
): readonly FieldFacts[] {
  const { data: list } = useWorkspaces(isNeeded);
  if (list === undefined || list.meta.next_cursor !== undefined) return facts;
  const choices = list.items.map(({ id }) => id);
  const words = Object.fromEntries(list.items.map(({ id, name }) => [id, name]));
  return facts.map((field) => {
    if (field.name === 'workspaces') return { ...field, kind: 'choices', choices, words };
    return field.name === 'workspace_id'
      ? { ...field, kind: 'choice', choices, words, isRaw: true }
      : field;
  });
}
