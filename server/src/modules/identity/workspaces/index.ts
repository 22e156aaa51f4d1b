export { workspacesModule } from './module.ts';
