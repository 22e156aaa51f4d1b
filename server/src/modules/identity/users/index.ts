export { usersModule } from './module.ts';
export { writeUser } from './create.ts';
export { replaceSecretHash } from './credential-store.ts';
export type { GetUserById } from './read.ts';
export { requireIdentifier } from './rules.ts';
