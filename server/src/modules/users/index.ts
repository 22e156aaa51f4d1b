export { writeUser } from './create.ts';
export { replaceSecretHash } from './credential-store.ts';
export { getUserById } from './read.ts';
export { bindUserRoutes } from './routes.ts';
export { requireIdentifier } from './rules.ts';
