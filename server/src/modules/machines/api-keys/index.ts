export type { ApiKeys } from './authenticate.ts';
export { hashApiKey, looksLikeApiKey } from './secret.ts';
