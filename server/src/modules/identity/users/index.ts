export { lockActiveUser, lockOneself, lockUser, raiseAuthVersion } from './user-lock-store.ts';
export {
  countForeignHashes,
  findSecretHash,
  replaceSecretHash,
  setSecretHash,
} from './credential-store.ts';
export {
  findRoleNames,
  lockWorkspaces,
  replaceRoles,
  replaceWorkspaces,
} from './user-role-store.ts';
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
  presentUser,
  replaceIdentifiers,
  setVerified,
  updateUserRow,
  type UserFilter,
  type UserRef,
  type UserRow,
} from './user-store.ts';
export {
  nextIdentifiers,
  profileIn,
  requireGoodMetadata,
  requireIdentifier,
  withProfile,
} from './user-rules.ts';
export {
  createdUser,
  recordDeletion,
  recordRoles,
  recordUpdate,
  recordVerified,
  writeUser,
} from './user-records.ts';
export {
  captorOf,
  capturedDomains,
  findBarredAddress,
  findCaptors,
  findCaptorsOf,
  findCapturedAddress,
  findUnverified,
  findVerification,
} from './identifier-store.ts';
