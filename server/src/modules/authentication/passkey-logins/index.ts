export { passkeyLoginsModule } from './module.ts';
export { suspicionOf } from './recorded.ts';
