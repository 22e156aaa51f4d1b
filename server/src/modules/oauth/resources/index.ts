export {
  commonScopes,
  type Resource,
  scopesAt,
  scopesOfAgentAt,
  TenantResources,
} from './resource-rules.ts';
export {
  isTooWeak,
  TENANT_RESOURCE,
  type ResourceDirectory,
  type TargetId,
  targetsNamed,
} from './resource-directory.ts';
export { areStillRegistered, listIn, readDetails, typeNamed } from './authorization-details.ts';
export { findRequiredFor, unknownScopesOf, unknownTypesOf } from './resource-store.ts';
