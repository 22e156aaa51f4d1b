export { admit } from './membership-service.ts';
