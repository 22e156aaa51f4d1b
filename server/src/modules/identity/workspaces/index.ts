export { addMember } from './workspace-service.ts';
export { lockWorkspaces, replaceWorkspaces } from './workspace-store.ts';
