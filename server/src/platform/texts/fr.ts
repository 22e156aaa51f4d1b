import account from './fr/account.json' with { type: 'json' };
import consent from './fr/consent.json' with { type: 'json' };
import device from './fr/device.json' with { type: 'json' };
import errors from './fr/errors.json' with { type: 'json' };
import login from './fr/login.json' with { type: 'json' };
import mail from './fr/mail.json' with { type: 'json' };
import problems from './fr/problems.json' with { type: 'json' };

export const FR = {
  ...login,
  ...consent,
  ...problems,
  ...errors,
  ...account,
  ...mail,
  ...device,
};
