export { RESEND_AFTER_SECONDS } from './limits.ts';
export { type LoginsChange, maskAddress, type UnverifiedShare } from './message.ts';
export type { NotifyAdministrators } from './administrators.ts';
export type { Notify } from './notices.ts';
export { type Messages, messagesModule } from './module.ts';
export { preview as previewMail } from './templates.ts';
export { receivesSms } from './sms/limits.ts';
