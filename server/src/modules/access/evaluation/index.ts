export { requireScopes } from './checks.ts';
export { evaluationModule } from './module.ts';
