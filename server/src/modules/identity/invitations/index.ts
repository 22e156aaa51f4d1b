export { invitationsModule } from './module.ts';
