export {
  challengeOfLink,
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
export { EMAIL } from './method.ts';
export { invitationLinkOf, linkOf, undoLinkOf } from './links.ts';
