export { admit } from './membership.ts';
