export { agentsModule } from './module.ts';
export { presentAgent } from './present.ts';
export { getAgentById, requireMayActOnAgent } from './service.ts';
