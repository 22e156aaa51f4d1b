export { countAttempt, giveBackAttempt } from './store.ts';
export { addressSubject, identifierSubject, userSubject } from './subjects.ts';
