export { acceptInvitation, grantorOf, holdInvitation, InvitationRefused } from './accept.ts';
export { stateOf } from './present.ts';
export {
  changePending,
  findInvitation,
  findInviterName,
  findOfFlow,
  type InvitationRow,
} from './store.ts';
