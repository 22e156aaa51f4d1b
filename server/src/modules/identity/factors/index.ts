export { removeAllFactors } from './service.ts';
