export { usersModule } from './module.ts';
export { writeUser } from './create.ts';
export { findSecretHash, replaceSecretHash } from './credential-store.ts';
export { presentUser } from './present.ts';
export type { GetUserById } from './read.ts';
export { recordUpdate } from './recorded.ts';
export { requireGoodMetadata, requireIdentifier } from './rules.ts';
export { findUser, updateUserRow } from './store.ts';
