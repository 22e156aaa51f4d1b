export { invitationPagesModule } from './module.ts';
