export { writeUser } from './create.ts';
export { replaceSecretHash } from './credential-store.ts';
export { createGetUserById, type GetUserById } from './read.ts';
export { bindUserRoutes } from './routes.ts';
export { requireIdentifier } from './rules.ts';
