import type { FieldFacts } from '../../api/field-facts.ts';
import { useCall } from '../../api/queries.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTenant } from '../../url/params.ts';

/** The fields of a form, where `workspaces` are chosen by their names, if they are few enough to be shown. */
export function useWorkspaceFacts(facts: readonly FieldFacts[]): readonly FieldFacts[] {
  const tenant = useTenant();
  const { can } = useCaller();
  const list = useCall(
    tenant,
    'workspaces.list',
    { query: { limit: 100 } },
    can('read:workspaces'),
  ).data;
  if (list === undefined || list.meta.next_cursor !== undefined) return facts;
  const choices = list.items.map(({ id }) => id);
  const words = Object.fromEntries(list.items.map(({ id, name }) => [id, name]));
  return facts.map((one) =>
    one.name === 'workspaces' ? { ...one, kind: 'choices', choices, words } : one,
  );
}
