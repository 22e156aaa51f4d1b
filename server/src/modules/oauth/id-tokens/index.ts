export {
  createIdToken,
  createSubjectFor,
  draftIdToken,
  type IdToken,
  type SubjectFor,
} from './id-tokens.ts';
export { type ClaimedUser, claimsOf, originOf, USER_CLAIMS } from './user-claims.ts';
