export {
  challengeOfLink,
  invitationOfToken,
  invitationTokenOf,
  hasLongCode,
  isInvitationId,
  isRightCode,
  isRightLinkToken,
  isUndoId,
  type MessageSecrets,
  messageSecrets,
  newChallengeId,
  newUndoId,
  undoOfToken,
  undoTokenOf,
} from './derive.ts';
export { EMAIL, EMAIL_FACTOR, INVITATION, SMS, SMS_FACTOR } from './method.ts';
export {
  invitationLinkOf,
  invitationPageOf,
  linkOf,
  pageLinkOf,
  undoLinkOf,
  undoPageOf,
} from './links.ts';
