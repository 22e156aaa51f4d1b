export type { Dpop, ProvenKey } from './dpop.ts';
export { dpopModule } from './module.ts';
