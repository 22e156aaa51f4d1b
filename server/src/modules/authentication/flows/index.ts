export {
  CODE_LIMITS,
  afterEnrollment,
  afterJoining,
  codeSubject,
  deviceIn,
  inviteeOf,
  verificationOf,
} from './flow-rules.ts';
export type { Answered, Challenges } from './challenge-service.ts';
export type { ChallengeOfFlow } from './challenge-store.ts';
export type { Step } from './flow-completion.ts';
export type { FlowInvitations } from './flow-invitations.ts';
export type { Flows } from './flow-service.ts';
export { mayJoin } from './flow-decision.ts';
export type { GuessedFlow, TakenPasskey } from './flow-steps-store.ts';
export {
  findNewName,
  startLinking,
  type FlowUser,
  nameUser,
  type StoredFlow,
} from './flow-store.ts';
export {
  deviceCookie,
  type DeviceTokens,
  isDeviceOf,
  type KnownDevice,
  type NewDevices,
} from './known-devices.ts';
