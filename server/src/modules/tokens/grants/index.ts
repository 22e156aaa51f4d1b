export { countActors, firstActor, type Grant, grantsOf, isApplication } from './grant-rules.ts';
export {
  createIsAlive,
  type IsAlive,
  outdateAccessOfHolders,
  outdateAccessOfUser,
  outdateDelegationsTo,
} from './grants-store.ts';
