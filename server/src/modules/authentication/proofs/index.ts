export { addProof, beginFlow, type LoginMethod, type Method, prove, type Shown } from './proof.ts';
export { decide, isEnough, type Next, type Permit, type UserState } from './rules.ts';
