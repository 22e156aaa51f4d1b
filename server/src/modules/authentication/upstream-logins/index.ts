export { upstreamLoginsModule } from './module.ts';
