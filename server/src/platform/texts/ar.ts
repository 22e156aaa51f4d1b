import type { Catalogue } from './keys.ts';
import { ACCOUNT } from './ar/account.ts';
import { CONSENT } from './ar/consent.ts';
import { DEVICE } from './ar/device.ts';
import { ERRORS } from './ar/errors.ts';
import { LOGIN } from './ar/login.ts';
import { MAIL } from './ar/mail.ts';
import { PROBLEMS } from './ar/problems.ts';

export const AR: Catalogue = {
  ...LOGIN,
  ...CONSENT,
  ...PROBLEMS,
  ...ERRORS,
  ...ACCOUNT,
  ...MAIL,
  ...DEVICE,
};
