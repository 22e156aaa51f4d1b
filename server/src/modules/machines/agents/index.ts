export { presentAgent } from './present.ts';
export { getAgentById, requireKnownScopes, requireMayActOnAgent } from './service.ts';
