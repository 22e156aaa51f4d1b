export {
  type Flow,
  MAX_FAILURES,
  METHODS,
  type MethodName,
  type Next,
  type Permit,
  type Policy,
  type Shown,
  type UserState,
  addProof,
  newFlow,
  decide,
  hasSuspended,
  isAllowed,
  isEnough,
  maxFailuresOf,
  passkeyMethodOf,
} from './proof-rules.ts';
export { canLogIn } from './login-methods.ts';
export {
  type UserLoginMethods,
  countUsersByOtherLoginMethods,
  findUserLoginMethods,
} from './login-methods-store.ts';
