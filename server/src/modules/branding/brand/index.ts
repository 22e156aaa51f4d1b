export { type Brand, logoAt } from './brand.ts';
export type { FindDraftLook } from './draft-look.ts';
export type { FindLook, Look } from './look.ts';
