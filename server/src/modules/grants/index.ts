export { createIsAlive, type IsAlive } from './liveness.ts';
export { grantsOf } from './rules.ts';
export { outdateAccessOfAgent, outdateAccessOfHolders, outdateAccessOfUser } from './store.ts';
