import type { Catalogue } from './catalogue.ts';
import { access } from './ar/access.ts';
import { clients } from './ar/clients.ts';
import { connections } from './ar/connections.ts';
import { everywhere } from './ar/everywhere.ts';
import { evidence } from './ar/evidence.ts';
import { home } from './ar/home.ts';
import { installation } from './ar/installation.ts';
import { invitations } from './ar/invitations.ts';
import { keyboard } from './ar/keyboard.ts';
import { look } from './ar/look.ts';
import { machines } from './ar/machines.ts';
import { migration } from './ar/migration.ts';
import { people } from './ar/people.ts';
import { tenant } from './ar/tenant.ts';
import { tenants } from './ar/tenants.ts';
import { tokens } from './ar/tokens.ts';
import { trust } from './ar/trust.ts';

export const ar: Catalogue = {
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
