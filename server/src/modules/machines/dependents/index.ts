export { findAgentDependents, findUserDependents } from './dependents.ts';
export { type EndedAgents, endOwnedAgents } from './disable-user.ts';
export { revokeKeysAndDelegations } from './dependents-store.ts';
