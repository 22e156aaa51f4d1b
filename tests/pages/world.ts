// What a walk through the pages needs, and what it brings.

import type { Keywright } from '../harness/keywright.ts';
import type { MailSink } from '../harness/mail-sink.ts';
import type { TestTenant } from '../harness/tenant.ts';
import type { FakeProvider } from '../harness/upstream.ts';
import type { Seen } from '../harness/visitor.ts';
import type { Documents } from './documents.ts';
import type { Texts } from './texts.ts';

/** A page, and the browser in front of it as it was then. */
export interface Shown {
  readonly seen: Seen;
  /** What the browser sends. */
  readonly cookie: string;
  readonly tenant: TestTenant;
}

/** By the name of the view and of its state. */
export type Gallery = ReadonlyMap<string, Shown>;

export interface World {
  readonly keywright: Keywright;
  readonly sink: MailSink;
  readonly provider: FakeProvider;
  readonly documents: Documents;
  readonly texts: Texts;
  /** Of its tenants. */
  readonly slug: string;
  /** What the browser asks for (BCP 47). */
  readonly locale?: string;
  /** Before the first page of a tenant. */
  readonly furnish?: ((tenant: TestTenant) => Promise<void>) | undefined;
}
