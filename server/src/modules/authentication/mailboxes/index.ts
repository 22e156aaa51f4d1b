export { mailboxesModule } from './module.ts';
export { settleInvitee } from './invitee.ts';
