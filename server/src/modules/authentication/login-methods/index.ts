export { loginMethodsModule } from './module.ts';
