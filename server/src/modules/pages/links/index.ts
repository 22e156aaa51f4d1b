export type { FirstLoginLink } from './first-login.ts';
