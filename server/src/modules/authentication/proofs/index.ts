export {
  addProof,
  beginFlow,
  type Flow,
  hasSuspended,
  MAX_FAILURES,
  maxFailuresOf,
  type MethodName,
  METHODS,
  passkeyMethodOf,
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
