export { agentsModule } from './module.ts';
export { presentAgent } from './present.ts';
export { getAgentById, requireMayActOnAgent } from './service.ts';
export type { AgentRow } from './store.ts';
