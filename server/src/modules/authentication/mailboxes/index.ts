export { reclaim, release, settleInvitee } from './mailbox-accounts.ts';
