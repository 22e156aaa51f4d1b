export { requireScopes } from './checks.ts';
