import type { Fail } from '@keywright/contract/errors';
import type { Clients } from '../clients/index.ts';
import type { ClientRequest } from '../token-endpoint/index.ts';

/** Admits a client that sends its request itself. */
export async function admitNamed(
  clients: Clients,
  { tenant, parameters, from }: ClientRequest<{ readonly client_id?: string }>,
  fail: Fail<'CLIENT_INVALID' | 'TOO_MANY_ATTEMPTS'>,
): Promise<void> {
  const detail = await clients.admit(tenant, parameters.client_id ?? '', from, fail);
  if (detail !== undefined) fail('CLIENT_INVALID', { detail });
}
