export { type Brand, type FindLook, logoAt, type Look, type LookService } from './look-service.ts';
