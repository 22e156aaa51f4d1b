export {
  acceptInvitation,
  grantorOf,
  holdInvitation,
  InvitationRefused,
} from './invitation-acceptance.ts';
export {
  findInvitation,
  findInviterName,
  findOfFlow,
  findStartPage,
  type InvitationRow,
  stateOf,
} from './invitation-store.ts';
