import { type KnownResources, OWN, type TargetId } from '../resources/index.ts';
import type { Places } from './scopes.ts';

/** The targets that still exist. */
export function placesOf(
  targets: readonly TargetId[],
  resources: Pick<KnownResources, 'named'>,
): Places {
  return {
    own: targets.length === 0 || targets.includes(OWN),
    resources: targets.flatMap((id) => (id === OWN ? [] : (resources.named(id) ?? []))),
  };
}

/** Whether a requested resource was deleted in the meantime. */
export function lacksTarget(targets: readonly TargetId[], { resources }: Places): boolean {
  return targets.filter((id) => id !== OWN).length > resources.length;
}
