export type { LogoutQueue } from './backchannel-logout.ts';
