export type { FindImpersonator } from './caller.ts';
export { impersonationModule } from './module.ts';
