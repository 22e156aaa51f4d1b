export { loginModule } from './module.ts';
