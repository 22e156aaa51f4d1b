export { secondFactorsModule } from './module.ts';
export { GUESS_LIMITS, guessSubject, MAX_FAILURES, totpPlace } from './limits.ts';
