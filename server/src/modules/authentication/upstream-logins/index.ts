export { upstreamLoginsModule } from './module.ts';
export type { BeginOnPage } from './begin-on-page.ts';
