export { action, back, confirmFirst, input, list, time } from './account-section.ts';
