export { reclaim, release } from './account.ts';
export { settleInvitee } from './invitee.ts';
