export { createIsAlive, type IsAlive } from './liveness.ts';
export { grantsOf } from './rules.ts';
export { outdateAccessOfHolders, outdateAccessOfUser, outdateDelegationsTo } from './store.ts';
