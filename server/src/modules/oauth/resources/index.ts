export {
  commonScopes,
  type FindResources,
  type KnownResources,
  knownResources,
  type Resource,
  scopesAt,
  scopesOfAgentAt,
} from './rules.ts';
export { areStillKnown, listIn, readDetails, typeNamed } from './details.ts';
export { findRequiredFor, unknownScopesOf, unknownTypesOf } from './store.ts';
export { chooseTarget, isTooWeak, OWN, type TargetId, targetsNamed } from './targets.ts';
