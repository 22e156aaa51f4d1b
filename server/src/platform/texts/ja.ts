import account from './ja/account.json' with { type: 'json' };
import consent from './ja/consent.json' with { type: 'json' };
import device from './ja/device.json' with { type: 'json' };
import errors from './ja/errors.json' with { type: 'json' };
import login from './ja/login.json' with { type: 'json' };
import mail from './ja/mail.json' with { type: 'json' };
import problems from './ja/problems.json' with { type: 'json' };

export const JA = {
  ...login,
  ...consent,
  ...problems,
  ...errors,
  ...account,
  ...mail,
  ...device,
};
