export { type Messages, messagesModule } from './module.ts';
