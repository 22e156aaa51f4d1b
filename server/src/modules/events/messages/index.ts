export { RESEND_AFTER_SECONDS } from './limits.ts';
export { type LoginsChange, maskAddress, type UnverifiedShare } from './message.ts';
export type { NotifyAdministrators } from './administrators.ts';
export type { Notify } from './notices.ts';
export type { Messages } from './module.ts';
export { preview } from './templates.ts';
export { receivesSms } from './sms/limits.ts';
export {
  challengeOfLink,
  hasLongCode,
  invitationOfToken,
  isRightCode,
  isRightLinkToken,
  newChallengeId,
  newUndoId,
  undoOfToken,
} from './secrets.ts';
