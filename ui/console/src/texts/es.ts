import access from './es/access.json' with { type: 'json' };
import clients from './es/clients.json' with { type: 'json' };
import connections from './es/connections.json' with { type: 'json' };
import everywhere from './es/everywhere.json' with { type: 'json' };
import detail from './es/detail.json' with { type: 'json' };
import evidence from './es/evidence.json' with { type: 'json' };
import fields from './es/fields.json' with { type: 'json' };
import frame from './es/frame.json' with { type: 'json' };
import home from './es/home.json' with { type: 'json' };
import installation from './es/installation.json' with { type: 'json' };
import invitations from './es/invitations.json' with { type: 'json' };
import keyboard from './es/keyboard.json' with { type: 'json' };
import look from './es/look.json' with { type: 'json' };
import machines from './es/machines.json' with { type: 'json' };
import methods from './es/methods.json' with { type: 'json' };
import migration from './es/migration.json' with { type: 'json' };
import people from './es/people.json' with { type: 'json' };
import tenant from './es/tenant.json' with { type: 'json' };
import tenants from './es/tenants.json' with { type: 'json' };
import tokens from './es/tokens.json' with { type: 'json' };
import trust from './es/trust.json' with { type: 'json' };

export const ES = {
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
