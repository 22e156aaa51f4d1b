// Email domains whose users can log in at one provider only, and the DNS server that proves their ownership.

import { randomUUID } from 'node:crypto';
import { startDnsServer } from '../harness/dns-server.ts';
import { expectStatus } from '../harness/http.ts';
import type { TestTenant } from '../harness/tenant.ts';

export interface DomainFurniture {
  /** An unproven domain of the provider. */
  readonly domain: string;
  /** Adds another domain, which can be proven; @returns it */
  readonly addDomain: () => Promise<string>;
}

/** A DNS server with configurable records. */
export async function startProofs() {
  const records = new Map<string, string>();
  const dns = await startDnsServer(({ name, type }) => {
    const text = records.get(name);
    return type === 'TXT' && text !== undefined ? [text] : [];
  });
  return { dns, records };
}

export async function furnishDomains(
  records: Map<string, string>,
  tenant: TestTenant,
  slug: string,
  providerId: string,
): Promise<DomainFurniture> {
  const addDomain = async () => {
    const options = {
      token: await tenant.adminToken(),
      body: { domain: `${randomUUID()}.${slug}.example.org` },
    };
    const path = `/identity-providers/${providerId}/domains`;
    const added = expectStatus(201, await tenant.request('POST', path, options));
    records.set(String(added['txt_name']), String(added['txt_value']));
    return String(added['domain']);
  };
  return { domain: await addDomain(), addDomain };
}
