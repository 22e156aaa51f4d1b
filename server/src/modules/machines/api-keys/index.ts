export { type ApiKeys, createApiKeys } from './authenticate.ts';
export { createFindKey } from './lookup.ts';
export { bindApiKeyRoutes } from './routes.ts';
export { hashApiKey, looksLikeApiKey } from './secret.ts';
export { createKeyUses, type KeyUses } from './uses.ts';
