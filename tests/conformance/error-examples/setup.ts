// The state that the examples of error pages need, and the values of their placeholders.

import type { ErrorBody, ErrorCode } from '@keywright/contract/errors';
import type { Answer } from '../../harness/http.ts';
import type { Keywright } from '../../harness/keywright.ts';
import type { MailSink } from '../../harness/mail-sink.ts';
import type { TestTenant } from '../../harness/tenant.ts';
import type { FakeProvider } from '../../harness/upstream.ts';

/** The service of the examples. */
export interface Place {
  readonly keywright: Keywright;
  /** `org_acme`. */
  readonly acme: TestTenant;
  /** Receives all email. */
  readonly sink: MailSink;
  /** An identity provider, which no tenant has. */
  readonly provider: FakeProvider;
  /** Creates a tenant that replaces `org_acme` in an example. */
  readonly newTenant: (config?: object) => Promise<TestTenant>;
}

/** The state that an example needs, and the values to fill in. */
export interface Setup {
  /** Replaces `org_acme`. */
  readonly tenant?: TestTenant;
  /** Replaces `<token>`; default: a token of the tenant's administrator. */
  readonly token?: string;
  /** The values of placeholders, IDs and addresses in the request and in the response. */
  readonly values?: Readonly<Record<string, string>>;
  /** The contents of the file that is sent. */
  readonly file?: string;
  /** Sends the request in a state that ends with it. */
  readonly while?: (send: () => Promise<Answer<ErrorBody>>) => Promise<Answer<ErrorBody>>;
  /** How often the request is sent; the last response is compared. Default 1. */
  readonly times?: number;
}

export type Setups = Readonly<Partial<Record<ErrorCode, (place: Place) => Promise<Setup> | Setup>>>;

export const ID = '01m7z2d5jfe9zr0j4dgg8m5yx4';
export const ADA = 'ada@example.com';
export const PASSWORD = 'correct horse battery';

/** Sends a request as the tenant's administrator. @throws unless it succeeds */
export async function asAdmin<Body extends object = Record<string, unknown>>(
  tenant: TestTenant,
  method: string,
  path: string,
  body?: object,
): Promise<Body> {
  const options = { token: await tenant.adminToken(), ...(body && { body }) };
  const answer = await tenant.request<Body>(method, path, options);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}
