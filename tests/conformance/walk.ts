import type { JsonBody, RequestOptions } from '../harness/http.ts';
import type { Keywright } from '../harness/keywright.ts';
import type { MailSink } from '../harness/mail-sink.ts';

export interface WalkOptions extends RequestOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
}

export interface Walk {
  /** Calls a route, and compares the response with the OpenAPI document. */
  readonly walk: <Body = JsonBody>(id: string, options?: WalkOptions) => Promise<Body>;
  readonly keywright: Keywright;
  readonly sink: MailSink;
  /** Of an administrator. */
  readonly token: string;
}
