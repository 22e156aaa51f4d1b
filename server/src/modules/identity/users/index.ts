export {
  type UserFilter,
  type UserRef,
  type UserRow,
  countAllUsers,
  countUsers,
  deleteUserRow,
  findDelegationsBy,
  findManyUsers,
  findUser,
  findUserMetadata,
  findUsers,
  findUsersAfter,
  lockActiveUser,
  lockOneself,
  lockUnchangedUser,
  lockUser,
  presentUser,
  raiseAuthVersion,
  updateUserRow,
  userExists,
} from './user-store.ts';
export {
  countForeignHashes,
  findSecretHash,
  replaceSecretHash,
  setSecretHash,
} from './credential-store.ts';
export {
  carryScopes,
  findRoleNames,
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
export { nextIdentifiers, profileIn, requireGoodMetadata, withProfile } from './user-rules.ts';
export {
  createdUser,
  recordDeletion,
  recordRoles,
  recordUpdate,
  recordVerified,
  writeUser,
} from './user-records.ts';
export {
  findVerification,
  forgetUndos,
  type NewIdentifier,
  replaceIdentifiers,
  setVerified,
} from './identifier-store.ts';
export {
  captorOf,
  capturedDomains,
  findBarredAddress,
  findCaptors,
  findCaptorsOf,
  findCapturedAddress,
  findUnverified,
  requiresSecondFactor,
} from './login-requirements.ts';
