export type { FirstLoginLink } from './link.ts';
