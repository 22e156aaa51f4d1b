// Applications that are not registered: each describes itself in a document at its own host.

import { Authority } from '../harness/certificate.ts';
import { startDnsServer } from '../harness/dns-server.ts';
import { answerJson } from '../harness/outside-issuer.ts';
import { startReceiver } from '../harness/receiver.ts';

interface Published {
  /** The URL of the application's document. */
  readonly client_id: string;
  readonly redirect_uri: string;
}

export interface Documents {
  /** The settings with which the service finds the documents. */
  readonly outside: { readonly ca: string; readonly dnsServers: readonly string[] };
  publish(host: string, slug: string, name: string): Published;
  close(): Promise<void>;
}

/** @param hosts that have documents */
export async function startDocuments(hosts: readonly string[]): Promise<Documents> {
  const authority = new Authority();
  const dns = await startDnsServer(() => ['127.0.0.1']);
  const documents = new Map<string, object>();
  const receiver = await startReceiver(
    ({ url = '' }, response) => answerJson(response, documents.get(url) ?? {}),
    { certificate: authority.issue(hosts) },
  );
  return {
    outside: { ca: authority.ca, dnsServers: [dns.address] },
    publish(host, slug, name) {
      const path = `/${slug}/client.json`;
      const origin = `https://${host}:${receiver.port}`;
      const [client_id, redirect_uri] = [`${origin}${path}`, `${origin}/callback`];
      documents.set(path, { client_id, client_name: name, redirect_uris: [redirect_uri] });
      return { client_id, redirect_uri };
    },
    async close() {
      await receiver.close();
      await dns.close();
    },
  };
}
