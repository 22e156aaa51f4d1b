export { removeAllFactors } from './factor-service.ts';
