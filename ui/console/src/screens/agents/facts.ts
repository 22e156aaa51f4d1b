import type { FieldFacts } from '../../api/field-facts.ts';
import { useWorkspaceFacts } from '../../parts/form/workspace-facts.ts';
import { useCaller } from '../../shell/caller.tsx';

/** Returns the fields of an agent, where its workspace and its owner are found by name. */
export function useAgentFacts(facts: readonly FieldFacts[]): readonly FieldFacts[] {
  const { can } = useCaller();
  const withWorkspaces = useWorkspaceFacts(facts);
  if (!can('read:users')) return withWorkspaces;
  return withWorkspaces.flatMap((field) => [
    field.name === 'owner_id' ? { ...field, finds: 'users' } : field,
  ]);
}
