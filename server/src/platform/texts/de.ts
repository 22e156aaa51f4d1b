import account from './de/account.json' with { type: 'json' };
import consent from './de/consent.json' with { type: 'json' };
import device from './de/device.json' with { type: 'json' };
import errors from './de/errors.json' with { type: 'json' };
import login from './de/login.json' with { type: 'json' };
import mail from './de/mail.json' with { type: 'json' };
import problems from './de/problems.json' with { type: 'json' };

export const DE = {
  ...login,
  ...consent,
  ...problems,
  ...errors,
  ...account,
  ...mail,
  ...device,
};
