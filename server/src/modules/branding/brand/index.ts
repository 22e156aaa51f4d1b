export { type Brand, logoAt, type Look, type LookService } from './look-service.ts';
export { kindOf, requireImage } from './uploads.ts';
export type { Upload } from './brand-store.ts';
