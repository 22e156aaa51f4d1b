export type { FindActive } from './find-active.ts';
export type { FindIssued, IsUsable } from './find-issued.ts';
export type { ReadClaims, VerifyToken } from './service.ts';
