export { authorizeModule } from './module.ts';
export { PROMPTS } from './request.ts';
