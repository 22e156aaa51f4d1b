export { mailboxesModule } from './module.ts';
