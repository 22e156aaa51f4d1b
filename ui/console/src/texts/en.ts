import access from './en/access.json' with { type: 'json' };
import clients from './en/clients.json' with { type: 'json' };
import connections from './en/connections.json' with { type: 'json' };
import everywhere from './en/everywhere.json' with { type: 'json' };
import detail from './en/detail.json' with { type: 'json' };
import evidence from './en/evidence.json' with { type: 'json' };
import fields from './en/fields.json' with { type: 'json' };
import frame from './en/frame.json' with { type: 'json' };
import home from './en/home.json' with { type: 'json' };
import installation from './en/installation.json' with { type: 'json' };
import invitations from './en/invitations.json' with { type: 'json' };
import keyboard from './en/keyboard.json' with { type: 'json' };
import look from './en/look.json' with { type: 'json' };
import machines from './en/machines.json' with { type: 'json' };
import methods from './en/methods.json' with { type: 'json' };
import migration from './en/migration.json' with { type: 'json' };
import people from './en/people.json' with { type: 'json' };
import tenant from './en/tenant.json' with { type: 'json' };
import tenants from './en/tenants.json' with { type: 'json' };
import tokens from './en/tokens.json' with { type: 'json' };
import trust from './en/trust.json' with { type: 'json' };

export const EN = {
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
