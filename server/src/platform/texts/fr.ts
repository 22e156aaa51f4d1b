import type { Catalogue } from './keys.ts';
import { ACCOUNT } from './fr/account.ts';
import { CONSENT } from './fr/consent.ts';
import { DEVICE } from './fr/device.ts';
import { ERRORS } from './fr/errors.ts';
import { LOGIN } from './fr/login.ts';
import { MAIL } from './fr/mail.ts';
import { PROBLEMS } from './fr/problems.ts';

export const FR: Catalogue = {
  ...LOGIN,
  ...CONSENT,
  ...PROBLEMS,
  ...ERRORS,
  ...ACCOUNT,
  ...MAIL,
  ...DEVICE,
};
