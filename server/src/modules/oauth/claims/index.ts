export { type ClaimedUser, claimsOf } from './rules.ts';
export { createSubjectFor, type SubjectFor } from './subject.ts';
