export { type ClaimedUser, claimsOf, originOf, USER_CLAIMS } from './rules.ts';
export { createSubjectFor, type SubjectFor } from './subject.ts';
