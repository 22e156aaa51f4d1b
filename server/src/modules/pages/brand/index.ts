export { brandModule } from './module.ts';
export type { Brand } from './brand.ts';
export type { FindLook, Look } from './look.ts';
