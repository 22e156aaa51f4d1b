export { requireScopes } from './evaluation-rules.ts';
