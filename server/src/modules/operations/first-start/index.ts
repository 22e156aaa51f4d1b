export { drawSecret, type FirstStart, firstStart } from './service.ts';
export { welcome } from './welcome.ts';
