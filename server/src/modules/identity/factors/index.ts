export { factorsModule } from './module.ts';
export { lockOneself } from './own.ts';
export { removeAllFactors } from './service.ts';
