export { createIdToken, draftIdToken, type IdToken } from './id-token.ts';
