export { passwordFlaw, requireBoundedSecret, requireGoodPassword } from './policy.ts';
