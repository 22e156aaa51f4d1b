import type { UseQueryResult } from '@tanstack/react-query';
import type { FieldFacts } from '../../api/field-facts.ts';
import type { Problem } from '../../api/problem.ts';
import { useCall } from '../../api/queries.ts';
import type { AnswerOf } from '../../api/routes.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTenant } from '../../url/params.ts';

/** The existing workspaces, for callers who may read them. */
export function useWorkspaces(): UseQueryResult<AnswerOf<'workspaces.list'>, Problem> {
  const { can } = useCaller();
  const query = { limit: 100 };
  return useCall(useTenant(), 'workspaces.list', { query }, can('read:workspaces'));
}

/** The fields of a form, where `workspaces` are chosen by their names, if they are few enough to be shown. */
export function useWorkspaceFacts(facts: readonly FieldFacts[]): readonly FieldFacts[] {
  const { data: list } = useWorkspaces();
  if (list === undefined || list.meta.next_cursor !== undefined) return facts;
  const choices = list.items.map(({ id }) => id);
  const words = Object.fromEntries(list.items.map(({ id, name }) => [id, name]));
  return facts.map((one) =>
    one.name === 'workspaces' ? { ...one, kind: 'choices', choices, words } : one,
  );
}
