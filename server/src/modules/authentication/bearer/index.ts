export type {
  FindActive,
  FindIssued,
  IsUsable,
  ReadClaims,
  VerifyToken,
} from './bearer-service.ts';
