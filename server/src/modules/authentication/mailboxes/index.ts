export { reclaim, release } from './account.ts';
export { mailboxesModule } from './module.ts';
export { settleInvitee } from './invitee.ts';
