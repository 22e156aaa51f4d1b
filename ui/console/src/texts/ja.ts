import type { Catalogue } from './catalogue.ts';
import { access } from './ja/access.ts';
import { clients } from './ja/clients.ts';
import { connections } from './ja/connections.ts';
import { everywhere } from './ja/everywhere.ts';
import { evidence } from './ja/evidence.ts';
import { home } from './ja/home.ts';
import { installation } from './ja/installation.ts';
import { invitations } from './ja/invitations.ts';
import { keyboard } from './ja/keyboard.ts';
import { look } from './ja/look.ts';
import { machines } from './ja/machines.ts';
import { migration } from './ja/migration.ts';
import { people } from './ja/people.ts';
import { tenant } from './ja/tenant.ts';
import { tenants } from './ja/tenants.ts';
import { tokens } from './ja/tokens.ts';
import { trust } from './ja/trust.ts';

export const ja: Catalogue = {
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
