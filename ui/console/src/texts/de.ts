import type { Catalogue } from './catalogue.ts';
import { access } from './de/access.ts';
import { clients } from './de/clients.ts';
import { connections } from './de/connections.ts';
import { everywhere } from './de/everywhere.ts';
import { evidence } from './de/evidence.ts';
import { home } from './de/home.ts';
import { installation } from './de/installation.ts';
import { invitations } from './de/invitations.ts';
import { keyboard } from './de/keyboard.ts';
import { look } from './de/look.ts';
import { machines } from './de/machines.ts';
import { migration } from './de/migration.ts';
import { people } from './de/people.ts';
import { tenant } from './de/tenant.ts';
import { tenants } from './de/tenants.ts';
import { tokens } from './de/tokens.ts';
import { trust } from './de/trust.ts';

export const de: Catalogue = {
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
