export {
  getAgentById,
  presentAgent,
  requireKnownScopes,
  requireMayActOnAgent,
} from './agent-service.ts';
export { type Acting, type DelegationSelector, findActing } from './delegations-store.ts';
