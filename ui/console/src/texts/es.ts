import type { Catalogue } from './catalogue.ts';
import { everywhere } from './es/everywhere.ts';
import { look } from './es/look.ts';
import { machines } from './es/machines.ts';
import { people } from './es/people.ts';
import { tenant } from './es/tenant.ts';

export const es: Catalogue = { ...everywhere, ...people, ...machines, ...tenant, ...look };
