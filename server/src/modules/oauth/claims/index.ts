export { type ClaimedUser, claimsOf, USER_CLAIMS } from './rules.ts';
export { createSubjectFor, type SubjectFor } from './subject.ts';
