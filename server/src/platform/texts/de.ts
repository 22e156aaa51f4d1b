import type { Catalogue } from './keys.ts';
import { ACCOUNT } from './de/account.ts';
import { CONSENT } from './de/consent.ts';
import { DEVICE } from './de/device.ts';
import { ERRORS } from './de/errors.ts';
import { LOGIN } from './de/login.ts';
import { MAIL } from './de/mail.ts';
import { PROBLEMS } from './de/problems.ts';

export const DE: Catalogue = {
  ...LOGIN,
  ...CONSENT,
  ...PROBLEMS,
  ...ERRORS,
  ...ACCOUNT,
  ...MAIL,
  ...DEVICE,
};
