export {
  findUserMetadata,
  lockActiveUser,
  lockOneself,
  lockUnchangedUser,
  lockUser,
  raiseAuthVersion,
  userExists,
} from './user-lock-store.ts';
export {
  countForeignHashes,
  findSecretHash,
  replaceSecretHash,
  setSecretHash,
} from './credential-store.ts';
export {
  carryScopes,
  findRoleNames,
  findRolesNamed,
  findRolesOf,
  findUsableRolesOf,
  holdsScopes,
  lockRoles,
  lockRolesOf,
  replaceRoles,
  type Role,
  roleChange,
  type RoleChange,
  scopeChange,
} from './user-role-store.ts';
export {
  countAllUsers,
  countUsers,
  deleteUserRow,
  findDelegationsBy,
  findManyUsers,
  findUser,
  findUsers,
  findUsersAfter,
  presentUser,
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
  forgetUndos,
  type NewIdentifier,
  replaceIdentifiers,
  setVerified,
} from './identifier-store.ts';
