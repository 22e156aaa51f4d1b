import access from './de/access.json' with { type: 'json' };
import clients from './de/clients.json' with { type: 'json' };
import connections from './de/connections.json' with { type: 'json' };
import everywhere from './de/everywhere.json' with { type: 'json' };
import detail from './de/detail.json' with { type: 'json' };
import evidence from './de/evidence.json' with { type: 'json' };
import fields from './de/fields.json' with { type: 'json' };
import frame from './de/frame.json' with { type: 'json' };
import home from './de/home.json' with { type: 'json' };
import installation from './de/installation.json' with { type: 'json' };
import invitations from './de/invitations.json' with { type: 'json' };
import keyboard from './de/keyboard.json' with { type: 'json' };
import look from './de/look.json' with { type: 'json' };
import machines from './de/machines.json' with { type: 'json' };
import methods from './de/methods.json' with { type: 'json' };
import migration from './de/migration.json' with { type: 'json' };
import people from './de/people.json' with { type: 'json' };
import tenant from './de/tenant.json' with { type: 'json' };
import tenants from './de/tenants.json' with { type: 'json' };
import tokens from './de/tokens.json' with { type: 'json' };
import trust from './de/trust.json' with { type: 'json' };

export const DE = {
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
