export { type Housekeeping, startHousekeeping } from './service.ts';
