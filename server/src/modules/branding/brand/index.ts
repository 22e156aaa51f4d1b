export {
  type Brand,
  type LookService,
  type FindLook,
  logoAt,
  type Look,
} from './look-service.ts';
