export { requireMasterKeyOnNodes } from './presence.ts';
export { Drain } from './drain.ts';
export { Housekeeping } from './housekeeping.ts';
