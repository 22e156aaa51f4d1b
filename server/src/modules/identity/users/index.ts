export { usersModule } from './module.ts';
export { lockUser, raiseAuthVersion } from './auth-version-store.ts';
export { writeUser } from './create.ts';
export { findSecretHash, replaceSecretHash, setSecretHash } from './credential-store.ts';
export { presentUser } from './present.ts';
export type { GetUserById } from './read.ts';
export { recordUpdate } from './recorded.ts';
export { requireGoodMetadata, requireIdentifier } from './rules.ts';
export { findUser, forgetUndos, replaceIdentifiers, setVerified, updateUserRow } from './store.ts';
