export {
  chooseTarget,
  commonScopes,
  type FindResources,
  isTooWeak,
  knownResources,
  type KnownResources,
  OWN,
  type Resource,
  scopesAt,
  scopesOfAgentAt,
  type TargetId,
  targetsNamed,
} from './resource-rules.ts';
export { areStillKnown, listIn, readDetails, typeNamed } from './authorization-details.ts';
export { findRequiredFor, unknownScopesOf, unknownTypesOf } from './resource-store.ts';
