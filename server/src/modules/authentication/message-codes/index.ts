export {
  challengeOfLink,
  invitationOfToken,
  invitationTokenOf,
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
export { EMAIL, INVITATION, SMS } from './method.ts';
export { invitationLinkOf, linkOf, pageLinkOf, undoLinkOf } from './links.ts';
