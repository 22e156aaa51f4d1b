import account from './en/account.json' with { type: 'json' };
import consent from './en/consent.json' with { type: 'json' };
import device from './en/device.json' with { type: 'json' };
import errors from './en/errors.json' with { type: 'json' };
import login from './en/login.json' with { type: 'json' };
import mail from './en/mail.json' with { type: 'json' };
import problems from './en/problems.json' with { type: 'json' };

export const EN = {
  ...login,
  ...consent,
  ...problems,
  ...errors,
  ...account,
  ...mail,
  ...device,
};
