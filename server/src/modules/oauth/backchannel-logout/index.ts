export { clientToTell, type LogoutQueue } from './queue.ts';
