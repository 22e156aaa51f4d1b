import { ACCOUNT } from './en/account.ts';
import { CONSENT } from './en/consent.ts';
import { DEVICE } from './en/device.ts';
import { ERRORS } from './en/errors.ts';
import { LOGIN } from './en/login.ts';
import { MAIL } from './en/mail.ts';
import { PROBLEMS } from './en/problems.ts';

/** All texts in English. Their keys and placeholders define those of every language. */
export const EN = {
  ...LOGIN,
  ...CONSENT,
  ...PROBLEMS,
  ...ERRORS,
  ...ACCOUNT,
  ...MAIL,
  ...DEVICE,
} as const;
