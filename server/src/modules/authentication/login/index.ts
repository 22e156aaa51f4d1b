export { countRegistration } from './registration.ts';
