export {
  type Brand,
  type FindDraftLook,
  type FindLook,
  logoAt,
  type Look,
} from './look-service.ts';
