export { draftIdToken, type IdTokens, type SubjectIdentifiers } from './id-tokens.ts';
export { type ClaimedUser, claimsOf, originOf, USER_CLAIMS } from './user-claims.ts';
