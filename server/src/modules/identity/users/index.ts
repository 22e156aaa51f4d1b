export { lockActiveUser, lockUser, raiseAuthVersion } from './auth-version-store.ts';
export { findSecretHash, replaceSecretHash, setSecretHash } from './credential-store.ts';
export {
  findRoleNames,
  lockWorkspaces,
  replaceRoles,
  replaceWorkspaces,
} from './membership-store.ts';
export { presentUser } from './present.ts';
export { profileIn, withProfile } from './profile.ts';
export {
  createdUser,
  recordDeletion,
  recordRoles,
  recordUpdate,
  recordVerified,
} from './recorded.ts';
export { countForeignHashes } from './foreign-hashes-store.ts';
export { nextIdentifiers, requireGoodMetadata, requireIdentifier } from './rules.ts';
export {
  countAllUsers,
  countUsers,
  deleteUserRow,
  findGivenDelegations,
  findManyUsers,
  findUser,
  findUsers,
  findUsersAfter,
  forgetUndos,
  type NewIdentifier,
  replaceIdentifiers,
  setVerified,
  updateUserRow,
  type UserRef,
  type UserRow,
} from './store.ts';
export {
  findBarredAddress,
  findCaptors,
  findCaptorsOf,
  findCapturedAddress,
} from './captures-store.ts';
export { captorOf, capturedDomains } from './captures.ts';
export type { UserFilter } from './filter-store.ts';
export { lockOneself } from './own.ts';
export { findUnverified } from './unverified.ts';
export { findVerification } from './verification-store.ts';
export { writeUser } from './write-user.ts';
