export { countAttempt, giveBackAttempt } from './store.ts';
export { addressSubject, identifierSubject, reporterSubject, userSubject } from './subjects.ts';
