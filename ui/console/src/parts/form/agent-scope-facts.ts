import type { FieldFacts } from '../../api/field-facts.ts';
import { useCall } from '../../api/queries.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTenant } from '../../url/params.ts';

/** The fields of a form, whose `scopes` offer those of the resources of the tenant. */
export function useAgentScopeFacts(facts: readonly FieldFacts[]): readonly FieldFacts[] {
  const { can } = useCaller();
  const query = { limit: 100 };
  const { data } = useCall(useTenant(), 'resources.list', { query }, can('read:clients'));
  const owners = new Map<string, string>();
  for (const resource of data?.items ?? []) {
    for (const { name } of resource.scopes) {
      const before = owners.get(name);
      owners.set(name, before === undefined ? resource.name : `${before}, ${resource.name}`);
    }
  }
  if (owners.size === 0) return facts;
  const choices = [...owners.keys()];
  const words = Object.fromEntries(owners);
  return facts.map((one) => (one.name === 'scopes' ? { ...one, choices, words } : one));
}
