export { countAttempt, giveBackAttempt } from './store.ts';
export {
  addressSubject,
  clientSubject,
  identifierSubject,
  reporterSubject,
  userSubject,
} from './subjects.ts';
