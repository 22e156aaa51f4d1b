export { CODE_LIMITS, codeSubject, GUESSES, verificationOf } from './rules.ts';
export type { Answered, Challenges } from './service.ts';
export { MESSAGE_KINDS } from './kinds.ts';
export type { ChallengeOfFlow, TakenGuess } from './store.ts';
export { EMAIL, EMAIL_FACTOR, INVITATION, SMS, SMS_FACTOR } from './methods.ts';
