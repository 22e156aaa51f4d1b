import account from './ar/account.json' with { type: 'json' };
import consent from './ar/consent.json' with { type: 'json' };
import device from './ar/device.json' with { type: 'json' };
import errors from './ar/errors.json' with { type: 'json' };
import login from './ar/login.json' with { type: 'json' };
import mail from './ar/mail.json' with { type: 'json' };
import problems from './ar/problems.json' with { type: 'json' };

export const AR = {
  ...login,
  ...consent,
  ...problems,
  ...errors,
  ...account,
  ...mail,
  ...device,
};
