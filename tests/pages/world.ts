// The inputs and results of a walk through the pages.

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

/** Keyed by the name of the view and of its state. */
export type Gallery = ReadonlyMap<string, Shown>;

export interface World {
  readonly keywright: Keywright;
  readonly sink: MailSink;
  readonly provider: FakeProvider;
  readonly documents: Documents;
  readonly texts: Texts;
  /** Of its tenants. */
  readonly slug: string;
  /** The language that the browser requests (BCP 47). */
  readonly locale?: string;
  /** Runs before the first page of a tenant. */
  readonly furnish?: ((tenant: TestTenant) => Promise<void>) | undefined;
}
