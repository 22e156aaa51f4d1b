export type { Dpop, ProvenKey } from './dpop.ts';
