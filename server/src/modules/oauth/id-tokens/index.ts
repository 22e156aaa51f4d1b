export { createIdToken, type IdToken } from './id-token.ts';
