export { resourcesModule } from './module.ts';
export {
  type FindResources,
  type KnownResources,
  knownResources,
  type Resource,
  scopesAt,
} from './rules.ts';
export { unknownScopesOf } from './store.ts';
export { chooseTarget, isTooWeak, OWN, type TargetId, targetsNamed } from './targets.ts';
