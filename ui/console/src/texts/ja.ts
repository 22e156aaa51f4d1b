import access from './ja/access.json' with { type: 'json' };
import clients from './ja/clients.json' with { type: 'json' };
import connections from './ja/connections.json' with { type: 'json' };
import everywhere from './ja/everywhere.json' with { type: 'json' };
import detail from './ja/detail.json' with { type: 'json' };
import evidence from './ja/evidence.json' with { type: 'json' };
import fields from './ja/fields.json' with { type: 'json' };
import frame from './ja/frame.json' with { type: 'json' };
import home from './ja/home.json' with { type: 'json' };
import installation from './ja/installation.json' with { type: 'json' };
import invitations from './ja/invitations.json' with { type: 'json' };
import keyboard from './ja/keyboard.json' with { type: 'json' };
import look from './ja/look.json' with { type: 'json' };
import machines from './ja/machines.json' with { type: 'json' };
import methods from './ja/methods.json' with { type: 'json' };
import migration from './ja/migration.json' with { type: 'json' };
import people from './ja/people.json' with { type: 'json' };
import tenant from './ja/tenant.json' with { type: 'json' };
import tenants from './ja/tenants.json' with { type: 'json' };
import tokens from './ja/tokens.json' with { type: 'json' };
import trust from './ja/trust.json' with { type: 'json' };

export const JA = {
  ...access,
  ...clients,
  ...connections,
  ...everywhere,
  ...detail,
  ...evidence,
  ...fields,
  ...frame,
  ...home,
  ...installation,
  ...invitations,
  ...keyboard,
  ...look,
  ...machines,
  ...methods,
  ...migration,
  ...people,
  ...tenant,
  ...tenants,
  ...tokens,
  ...trust,
};
