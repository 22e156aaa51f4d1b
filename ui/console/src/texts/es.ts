import type { Catalogue } from './catalogue.ts';
import { everywhere } from './es/everywhere.ts';
import { invitations } from './es/invitations.ts';
import { look } from './es/look.ts';
import { machines } from './es/machines.ts';
import { migration } from './es/migration.ts';
import { people } from './es/people.ts';
import { tenant } from './es/tenant.ts';

export const es: Catalogue = {
  ...everywhere,
  ...invitations,
  ...look,
  ...machines,
  ...migration,
  ...people,
  ...tenant,
};
