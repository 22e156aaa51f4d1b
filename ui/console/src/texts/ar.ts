import access from './ar/access.json' with { type: 'json' };
import clients from './ar/clients.json' with { type: 'json' };
import connections from './ar/connections.json' with { type: 'json' };
import everywhere from './ar/everywhere.json' with { type: 'json' };
import detail from './ar/detail.json' with { type: 'json' };
import evidence from './ar/evidence.json' with { type: 'json' };
import fields from './ar/fields.json' with { type: 'json' };
import frame from './ar/frame.json' with { type: 'json' };
import home from './ar/home.json' with { type: 'json' };
import installation from './ar/installation.json' with { type: 'json' };
import invitations from './ar/invitations.json' with { type: 'json' };
import keyboard from './ar/keyboard.json' with { type: 'json' };
import look from './ar/look.json' with { type: 'json' };
import machines from './ar/machines.json' with { type: 'json' };
import methods from './ar/methods.json' with { type: 'json' };
import migration from './ar/migration.json' with { type: 'json' };
import people from './ar/people.json' with { type: 'json' };
import tenant from './ar/tenant.json' with { type: 'json' };
import tenants from './ar/tenants.json' with { type: 'json' };
import tokens from './ar/tokens.json' with { type: 'json' };
import trust from './ar/trust.json' with { type: 'json' };

export const AR = {
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
