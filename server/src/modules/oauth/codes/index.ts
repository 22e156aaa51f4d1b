export { type AuthorizationCode, type Codes, createCodes } from './codes.ts';
export { createSeals, type Seals } from './seals.ts';
