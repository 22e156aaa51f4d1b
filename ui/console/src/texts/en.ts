// All texts of the console. A key that another language lacks is a compile error.

import { access } from './en/access.ts';
import { clients } from './en/clients.ts';
import { connections } from './en/connections.ts';
import { everywhere } from './en/everywhere.ts';
import { evidence } from './en/evidence.ts';
import { home } from './en/home.ts';
import { installation } from './en/installation.ts';
import { invitations } from './en/invitations.ts';
import { keyboard } from './en/keyboard.ts';
import { look } from './en/look.ts';
import { machines } from './en/machines.ts';
import { migration } from './en/migration.ts';
import { people } from './en/people.ts';
import { tenant } from './en/tenant.ts';
import { tenants } from './en/tenants.ts';
import { tokens } from './en/tokens.ts';
import { trust } from './en/trust.ts';

export const en = {
  ...access,
  ...clients,
  ...connections,
  ...everywhere,
  ...evidence,
  ...home,
  ...installation,
  ...invitations,
  ...keyboard,
  ...look,
  ...machines,
  ...migration,
  ...people,
  ...tenant,
  ...tenants,
  ...tokens,
  ...trust,
};
