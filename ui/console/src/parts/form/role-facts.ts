import type { FieldFacts } from '../../api/field-facts.ts';
import { useCall } from '../../api/queries.ts';
import { useTenant } from '../../url/params.ts';

/** The fields of a form, where `roles` are chosen from those that there are. */
export function useRoleFacts(facts: readonly FieldFacts[]): readonly FieldFacts[] {
  const tenant = useTenant();
  const roles = useCall(tenant, 'roles.list', { query: { limit: 100 } });
  const isWhole = roles.data !== undefined && roles.data.meta.next_cursor === undefined;
  if (!isWhole) return facts;
  const choices = roles.data.items.map(({ name }) => name);
  return facts.map((one) =>
    one.name === 'roles' ? { ...one, kind: 'choices', choices, isRaw: true } : one,
  );
}
