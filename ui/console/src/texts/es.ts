import type { Catalogue } from './catalogue.ts';
import { access } from './es/access.ts';
import { clients } from './es/clients.ts';
import { connections } from './es/connections.ts';
import { everywhere } from './es/everywhere.ts';
import { evidence } from './es/evidence.ts';
import { home } from './es/home.ts';
import { installation } from './es/installation.ts';
import { invitations } from './es/invitations.ts';
import { keyboard } from './es/keyboard.ts';
import { look } from './es/look.ts';
import { machines } from './es/machines.ts';
import { migration } from './es/migration.ts';
import { people } from './es/people.ts';
import { tenant } from './es/tenant.ts';
import { tenants } from './es/tenants.ts';
import { tokens } from './es/tokens.ts';
import { trust } from './es/trust.ts';

export const es: Catalogue = {
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
