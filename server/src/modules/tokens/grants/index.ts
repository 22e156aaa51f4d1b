export { countActors, firstActor, isApplication } from './actors.ts';
export { type Grant, grantsOf } from './rules.ts';
export {
  createIsAlive,
  type IsAlive,
  outdateAccessOfHolders,
  outdateAccessOfUser,
  outdateDelegationsTo,
} from './store.ts';
