export { countRegistration } from './register.ts';
