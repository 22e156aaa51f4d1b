import type { Catalogue } from './keys.ts';
import { ACCOUNT } from './ja/account.ts';
import { CONSENT } from './ja/consent.ts';
import { DEVICE } from './ja/device.ts';
import { ERRORS } from './ja/errors.ts';
import { LOGIN } from './ja/login.ts';
import { MAIL } from './ja/mail.ts';
import { PROBLEMS } from './ja/problems.ts';

export const JA: Catalogue = {
  ...LOGIN,
  ...CONSENT,
  ...PROBLEMS,
  ...ERRORS,
  ...ACCOUNT,
  ...MAIL,
  ...DEVICE,
};
