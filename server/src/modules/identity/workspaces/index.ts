export { addMember } from './membership-service.ts';
export { lockWorkspaces, replaceWorkspaces } from './workspace-store.ts';
