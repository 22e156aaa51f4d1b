export { countActors, firstActor, type Grant, grantsOf, isApplication } from './grant-rules.ts';
export { Liveness, outdateAccessOfHolders, outdateAccessOfUser } from './grants-store.ts';
