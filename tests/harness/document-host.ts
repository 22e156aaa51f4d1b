// A host of client metadata documents (draft-ietf-oauth-client-id-metadata-document), and a service that reads them.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TenantConfig } from '@keywright/contract/records/tenant-config';
import { Authority } from './certificate.ts';
import { requestOf, UserBrowser } from './code-login.ts';
import { type Keywright, startKeywright } from './keywright.ts';
import { answerJson } from './outside-issuer.ts';
import { startReceiver } from './receiver.ts';
import type { TestTenant, TestUser } from './tenant.ts';
import { Visitor } from './visitor.ts';

type AnswerDocument = (response: ServerResponse, request: IncomingMessage) => void;

export interface DocumentHost {
  readonly keywright: Keywright;
  readonly origin: string;
  readonly callback: string;
  /** Requested paths. */
  requestedPaths: string[];
  /** Default: a valid document. */
  answer: AnswerDocument;
  reset(): void;
  idAt(path?: string): string;
  /** The document at a path, with these fields. */
  documentAt(path: string | undefined, fields?: object): object;
  /** An authorization request. */
  authorizationRequest(
    id: string,
    more?: Readonly<Record<string, string>>,
  ): Readonly<Record<string, string>>;
  /** A tenant that lists the host. */
  tenantWith(config: Partial<TenantConfig>): Promise<TestTenant>;
  close(): Promise<void>;
}

/** Starts the host and a service with two nodes, on a clock that the test advances. */
export async function startDocumentHost(): Promise<DocumentHost> {
  const authority = new Authority();
  const receiver = await startReceiver(
    (request, response) => {
      host.requestedPaths.push(request.url ?? '');
      host.answer(response, request);
    },
    { certificate: authority.issue(['localhost']) },
  );
  const keywright = await startKeywright({
    nodes: 2,
    clock: 'fake',
    env: { KEYWRIGHT_EGRESS_ALLOW: 'localhost' },
    outside: { ca: authority.ca },
  });
  const origin = `https://localhost:${receiver.port}`;
  const callback = `${origin}/callback`;
  const usual: AnswerDocument = (response, { url }) => answerJson(response, host.documentAt(url));
  let tenants = 0;
  const host: DocumentHost = {
    keywright,
    origin,
    callback,
    requestedPaths: [],
    answer: usual,
    reset() {
      host.requestedPaths = [];
      host.answer = usual;
    },
    idAt: (path = '/client.json') => `${origin}${path}`,
    documentAt: (path = '', fields = {}) => ({
      client_id: `${origin}${path}`,
      client_name: 'Notes',
      redirect_uris: [callback, 'http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token', 'urn:example:another'],
      ...fields,
    }),
    authorizationRequest: (id, more = {}) =>
      requestOf({ id }, { redirect_uri: callback, scope: 'openid offline_access', ...more }),
    tenantWith(config) {
      tenants += 1;
      const listed = { oauth_client_domains: ['localhost'], ...config };
      return keywright.tenant(`documents-${tenants}`, { config: listed });
    },
    async close() {
      await receiver.close();
      await keywright.close();
    },
  };
  return host;
}

export function issuerOf({ id }: TestTenant): string {
  return `https://id.example.com/t/${id}`;
}

/** The browser of a user who is not logged in. */
export function visitorOf(tenant: TestTenant): Visitor {
  return new Visitor(tenant, issuerOf(tenant));
}

export function browserOf(tenant: TestTenant, user: TestUser): UserBrowser {
  return new UserBrowser(tenant, issuerOf(tenant), user);
}
