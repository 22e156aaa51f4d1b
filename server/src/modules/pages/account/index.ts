export { ACCOUNT_STYLE } from './account-view.ts';
export { action, back, confirmFirst, input, list, time } from './parts.ts';
