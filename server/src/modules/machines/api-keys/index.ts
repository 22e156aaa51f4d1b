export { type ApiKeys, hashApiKey, looksLikeApiKey } from './api-key-authentication.ts';
