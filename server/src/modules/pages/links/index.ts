export type { FirstLoginLink } from './link-pages.ts';
