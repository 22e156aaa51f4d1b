export { passkeyLoginsModule } from './module.ts';
