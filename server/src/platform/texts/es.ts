import type { Catalogue } from './keys.ts';
import { ACCOUNT } from './es/account.ts';
import { CONSENT } from './es/consent.ts';
import { DEVICE } from './es/device.ts';
import { ERRORS } from './es/errors.ts';
import { LOGIN } from './es/login.ts';
import { MAIL } from './es/mail.ts';
import { PROBLEMS } from './es/problems.ts';

export const ES: Catalogue = {
  ...LOGIN,
  ...CONSENT,
  ...PROBLEMS,
  ...ERRORS,
  ...ACCOUNT,
  ...MAIL,
  ...DEVICE,
};
