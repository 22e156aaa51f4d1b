export { invitationsModule } from './module.ts';
export { acceptInvitation, grantorOf, holdInvitation, InvitationRefused } from './accept.ts';
export { stateOf } from './present.ts';
export {
  changePending,
  findInvitation,
  findInviterName,
  findOfFlow,
  type InvitationRow,
} from './store.ts';
