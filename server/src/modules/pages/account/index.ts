export { ACCOUNT_STYLE } from './account-page.ts';
export { action, back, confirmFirst, input, list, time } from './account-section.ts';
