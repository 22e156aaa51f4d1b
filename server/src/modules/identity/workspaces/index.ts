export { addMember } from './workspace-service.ts';
