export { brandModule } from './module.ts';
export { logoAt } from './brand.ts';
export type { Brand } from './brand.ts';
export type { FindDraftLook } from './draft-look.ts';
export type { FindLook, Look } from './look.ts';
