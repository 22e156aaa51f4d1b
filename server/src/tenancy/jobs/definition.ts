import type { TenantId } from '@keywright/contract/ids';
import type { PendingTable } from './pending-store.ts';

/** A key whose jobs share concurrency within a tenant, such as an endpoint or a mail server. */
export interface KeyRef<Key extends string = string> {
  readonly tenantId: TenantId;
  readonly key: Key;
}

/** A key to claim jobs for, and the maximum number of jobs. */
export interface JobClaim<Key extends string = string> extends KeyRef<Key> {
  readonly limit: number;
}

/** The state of a key, by its last job. `slow`: succeeded, but slowly. */
export type Condition = 'well' | 'slow' | 'failing';

/** Concurrency limits of one node. */
export interface Room {
  readonly all: number;
  readonly ofTenant: number;
  readonly ofKey: number;
  /** For a key without known state, and for one whose last job failed. */
  readonly atFirst: number;
  readonly whileFailing: number;
  /** Limits for slow and failing keys, in total and per tenant: their jobs take long, and would use up the capacity. */
  readonly troubled: number;
  readonly troubledOfTenant: number;
  /** Jobs queued in memory, per key and in total. Further ones wait in the database. */
  readonly waitingOfKey: number;
  readonly waiting: number;
}

/** Why a job was not attempted: an internal error, shutdown, or other jobs take precedence. */
export type Release = 'internal' | 'closed' | 'waits';

/** How jobs of one kind are stored and run. A claimed job is leased to one node only. */
export interface Definition<Job, Verdict, Key extends string = string> {
  /** Name in the logs. */
  readonly name: string;
  /** Where they wait. */
  readonly table: PendingTable;
  readonly room: Room;
  /** Duration of a lease. It is renewed for jobs that take longer. */
  readonly leaseSeconds: number;
  /** Finds keys with due jobs, in all tenants. */
  readonly findDue: () => Promise<readonly KeyRef<Key>[]>;
  /** Claims due jobs of these keys, up to each key's limit (`SKIP LOCKED`). */
  readonly claim: (round: readonly JobClaim<Key>[], now: Date) => Promise<readonly Job[]>;
  /** Renews leases, except of jobs that another node has claimed. */
  readonly renew: (jobs: readonly Job[], until: Date) => Promise<void>;
  /** Stores the results, except of jobs that another node has claimed. */
  readonly finish: (ended: readonly Ended<Job, Verdict>[]) => Promise<void>;
  readonly keyOf: (job: Job) => KeyRef<Key>;
  /** Attempts a job. Each job is attempted at least once, always with the same ID. */
  readonly attempt: (job: Job) => Promise<Verdict>;
  /** Returns the result of a job that was not attempted, with its next due time. */
  readonly release: (why: Release, now: Date) => Verdict;
  /** Returns what a result means for the job's key; `released`: the key waits for the next poll. */
  readonly judge: (verdict: Verdict) => 'well' | 'failing' | 'released' | undefined;
}

/** A job and its result. */
export interface Ended<Job, Verdict> {
  readonly job: Job;
  readonly verdict: Verdict;
}
