export { ownInvitationsModule } from './module.ts';
