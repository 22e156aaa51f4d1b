export type { FirstLoginLink } from './link.ts';
export { firstLoginModule } from './module.ts';
