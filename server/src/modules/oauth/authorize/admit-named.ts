import type { Fail } from '@keywright/contract/errors';
import type { Clients } from '../clients/index.ts';
import { type ClientRequest, readClient } from '../token-endpoint/index.ts';

/** Admits a client that sends its request itself. */
export async function admitNamed(
  clients: Clients,
  { tenant, parameters, authorization, from }: ClientRequest,
  fail: Fail<'VALIDATION_FAILED' | 'CLIENT_INVALID' | 'TOO_MANY_ATTEMPTS'>,
): Promise<void> {
  const { clientId } = readClient(parameters, authorization, fail);
  const detail = await clients.admit(tenant, clientId, from, fail);
  if (detail !== undefined) fail('CLIENT_INVALID', { detail });
}
