import access from './fr/access.json' with { type: 'json' };
import clients from './fr/clients.json' with { type: 'json' };
import connections from './fr/connections.json' with { type: 'json' };
import everywhere from './fr/everywhere.json' with { type: 'json' };
import detail from './fr/detail.json' with { type: 'json' };
import evidence from './fr/evidence.json' with { type: 'json' };
import fields from './fr/fields.json' with { type: 'json' };
import frame from './fr/frame.json' with { type: 'json' };
import home from './fr/home.json' with { type: 'json' };
import installation from './fr/installation.json' with { type: 'json' };
import invitations from './fr/invitations.json' with { type: 'json' };
import keyboard from './fr/keyboard.json' with { type: 'json' };
import look from './fr/look.json' with { type: 'json' };
import machines from './fr/machines.json' with { type: 'json' };
import methods from './fr/methods.json' with { type: 'json' };
import migration from './fr/migration.json' with { type: 'json' };
import people from './fr/people.json' with { type: 'json' };
import tenant from './fr/tenant.json' with { type: 'json' };
import tenants from './fr/tenants.json' with { type: 'json' };
import tokens from './fr/tokens.json' with { type: 'json' };
import trust from './fr/trust.json' with { type: 'json' };

export const FR = {
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
