export { workspacesModule } from './module.ts';
export { admit } from './membership.ts';
