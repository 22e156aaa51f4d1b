import type { Tenant } from '@keywright/sdk';
import type { TextKey } from '../../texts/locales.ts';
import { HOME } from '../../url/home.ts';
import type { Search } from '../../url/search.ts';

export interface Step {
  readonly title: TextKey;
  readonly isDone: boolean;
  /** Where it is done. */
  readonly to: string;
  readonly search?: Search;
}

/** The settings that the steps depend on. */
export type StepTenant = Pick<Tenant, 'email_delivery' | 'domains' | 'branding'>;

interface StepData {
  readonly tenant: StepTenant;
  /** Undefined: the caller cannot read it. */
  readonly administrators: number | undefined;
  readonly clients: number | undefined;
}

/** Returns the role whose holders can do everything in a tenant. */
export function administratorRole(tenant: string): string {
  return tenant === HOME ? 'system_admin' : 'admin';
}

/** Returns what a tenant needs before it is used in production. */
export function stepsOf({ tenant, administrators, clients }: StepData): Step[] {
  return [
    {
      title: 'step.mail',
      isDone: ['tenant', 'installation'].includes(tenant.email_delivery),
      to: '/messages',
      search: { tab: 'server' },
    },
    {
      title: 'step.domain',
      isDone: tenant.domains.length > 0,
      to: '/settings/domains',
    },
    {
      title: 'step.branding',
      isDone: Object.keys(tenant.branding).length > 0,
      to: '/branding',
    },
    ...(clients === undefined
      ? []
      : [{ title: 'step.client', isDone: clients > 0, to: '/clients/new' } as const]),
    ...(administrators === undefined
      ? []
      : [{ title: 'step.administrator', isDone: administrators > 1, to: '/users/new' } as const]),
  ];
}
