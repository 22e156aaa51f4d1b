export { userinfoModule } from './module.ts';
