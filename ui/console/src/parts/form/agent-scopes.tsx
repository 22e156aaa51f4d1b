import type { ReactNode } from 'react';
import type { FieldFacts } from '../../api/field-facts.ts';
import { useCall } from '../../api/queries.ts';
import type { AnswerOf } from '../../api/routes.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTenant } from '../../url/params.ts';
import { Loaded } from '../loaded.tsx';

interface Props {
  readonly facts: readonly FieldFacts[];
  /** Whether the form is the whole screen. */
  readonly isScreen?: boolean;
  readonly children: (facts: readonly FieldFacts[]) => ReactNode;
}

/** A form whose `scopes` also offer the scopes of the tenant's resources, to callers who can read them. */
export function WithResourceScopes({ facts, isScreen = false, children }: Props) {
  const { can } = useCaller();
  const isAllowed = can('read:clients');
  const query = useCall(useTenant(), 'resources.list', { query: { limit: 100 } }, isAllowed);
  if (!isAllowed) return children(facts);
  return (
    <Loaded query={query} route="resources.list" isScreen={isScreen}>
      {({ items }) => children(withScopesOf(items, facts))}
    </Loaded>
  );
}

function withScopesOf(
  resources: AnswerOf<'resources.list'>['items'],
  facts: readonly FieldFacts[],
): readonly FieldFacts[] {
  const owners = new Map<string, string>();
  for (const resource of resources) {
    for (const { name } of resource.scopes) {
      const before = owners.get(name);
      owners.set(name, before === undefined ? resource.name : `${before}, ${resource.name}`);
    }
  }
  if (owners.size === 0) return facts;
  const choices = [...owners.keys()];
  const words = Object.fromEntries(owners);
  return facts.map((field) => (field.name === 'scopes' ? { ...field, choices, words } : field));
}
