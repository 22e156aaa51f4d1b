import account from './es/account.json' with { type: 'json' };
import consent from './es/consent.json' with { type: 'json' };
import device from './es/device.json' with { type: 'json' };
import errors from './es/errors.json' with { type: 'json' };
import login from './es/login.json' with { type: 'json' };
import mail from './es/mail.json' with { type: 'json' };
import problems from './es/problems.json' with { type: 'json' };

export const ES = {
  ...login,
  ...consent,
  ...problems,
  ...errors,
  ...account,
  ...mail,
  ...device,
};
