export { type MessageLimits, receivesSms, RESEND_AFTER_SECONDS } from './message-limits.ts';
export { type LoginsChange, maskAddress, type UnverifiedShare } from './message.ts';
export { describeRequest, type Notices, type RequestingDevice } from './notices.ts';
export type { MessageQueue } from './message-queue.ts';
export type { Messages } from './module.ts';
export type { TemplateService } from './template-service.ts';
export {
  challengeOfLink,
  hasLongCode,
  invitationOfToken,
  isRightCode,
  isRightLinkToken,
  newChallengeId,
  newUndoId,
  undoOfToken,
} from './message-secrets.ts';
