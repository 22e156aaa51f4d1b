export {
  type EndedAgents,
  endOwnedAgents,
  findAgentDependents,
  findUserDependents,
} from './dependents.ts';
export { revokeKeysAndDelegations } from './dependents-store.ts';
