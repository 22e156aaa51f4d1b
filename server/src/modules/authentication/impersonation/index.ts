export type { FindImpersonator } from './caller.ts';
