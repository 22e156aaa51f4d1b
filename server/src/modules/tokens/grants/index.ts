export { createIsAlive, type IsAlive } from './liveness.ts';
export { type Grant, grantsOf } from './rules.ts';
export { outdateAccessOfHolders, outdateAccessOfUser, outdateDelegationsTo } from './store.ts';
