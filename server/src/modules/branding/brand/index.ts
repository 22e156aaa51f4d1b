export { type Brand, logoAt, type Look, type LookService } from './look-service.ts';
