export { backchannelLogoutModule } from './module.ts';
export { clientToTell, type LogoutQueue } from './queue.ts';
