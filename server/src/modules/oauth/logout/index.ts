export { logoutModule } from './module.ts';
