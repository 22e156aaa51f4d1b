import type { Catalogue } from './catalogue.ts';
import { access } from './fr/access.ts';
import { clients } from './fr/clients.ts';
import { connections } from './fr/connections.ts';
import { everywhere } from './fr/everywhere.ts';
import { evidence } from './fr/evidence.ts';
import { home } from './fr/home.ts';
import { installation } from './fr/installation.ts';
import { invitations } from './fr/invitations.ts';
import { keyboard } from './fr/keyboard.ts';
import { look } from './fr/look.ts';
import { machines } from './fr/machines.ts';
import { migration } from './fr/migration.ts';
import { people } from './fr/people.ts';
import { tenant } from './fr/tenant.ts';
import { tenants } from './fr/tenants.ts';
import { tokens } from './fr/tokens.ts';
import { trust } from './fr/trust.ts';

export const fr: Catalogue = {
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
