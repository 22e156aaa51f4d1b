export {
  addProof,
  beginFlow,
  type Flow,
  hasSuspended,
  type LoginMethod,
  MAX_FAILURES,
  maxFailuresOf,
  type Method,
  prove,
  type Shown,
} from './proof.ts';
export {
  decide,
  isAllowed,
  isEnough,
  type Next,
  type Permit,
  type Policy,
  type UserState,
} from './proof-rules.ts';
export {
  BOUND_PASSKEY,
  passkeyMethodOf,
  RECOVERY_CODE,
  SYNCED_PASSKEY,
  TOTP,
  UPSTREAM,
  UPSTREAM_MFA,
} from './methods.ts';
