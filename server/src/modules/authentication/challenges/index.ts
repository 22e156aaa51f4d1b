export { challengesModule } from './module.ts';
export { CODE_LIMITS, CODE_SUBJECT, codeSubject, GUESSES, verificationOf } from './rules.ts';
export type { Answered, Challenges } from './service.ts';
export { MESSAGE_KINDS, type TakenGuess } from './store.ts';
