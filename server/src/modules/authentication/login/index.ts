export { loginModule } from './module.ts';
export { countRegistration } from './register.ts';
