import type { Tenant } from '@keywright/sdk';
import type { TextKey } from '../../texts/catalogue.ts';

export interface Step {
  readonly title: TextKey;
  readonly isDone: boolean;
  /** Where it is done, if that is in the console. */
  readonly to?: string;
}

/** What the steps depend on. */
export type StepTenant = Pick<Tenant, 'messaging' | 'domains' | 'branding'>;

interface Known {
  readonly tenant: StepTenant;
  /** Undefined: the caller may not know. */
  readonly administrators: number | undefined;
  readonly clients: number | undefined;
}

/** What a tenant needs before it is in earnest. */
export function stepsOf({ tenant, administrators, clients }: Known): Step[] {
  return [
    { title: 'step.mail', isDone: tenant.messaging.email?.smtp_host !== undefined },
    { title: 'step.domain', isDone: tenant.domains.length > 0, to: '/settings' },
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
