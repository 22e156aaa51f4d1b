export {
  type ClaimedUser,
  type IdTokens,
  type SubjectIdentifiers,
  USER_CLAIMS,
  claimsOf,
  draftIdToken,
  originOf,
} from './id-tokens.ts';
