import type { TenantId } from '@keywright/contract/ids';

/** What shares room: the jobs of a tenant with one key, such as an endpoint or a mail server. */
export interface KeyRef<Key extends string = string> {
  readonly tenantId: TenantId;
  readonly key: Key;
}

/** A key to take jobs for, and how many. */
export interface Turn<Key extends string = string> extends KeyRef<Key> {
  readonly limit: number;
}

/** How a key is doing, by its last job. Slow is well in the end. */
export type Condition = 'well' | 'slow' | 'failing';

/** How many jobs one node has under way at once. */
export interface Room {
  readonly all: number;
  readonly ofTenant: number;
  readonly ofKey: number;
  /** Of a key that nothing is known of, and of one whose last job failed. */
  readonly atFirst: number;
  readonly whileFailing: number;
  /** Of keys that are slow or failing, in all and of one tenant: their jobs take long, and would fill the room. */
  readonly troubled: number;
  readonly troubledOfTenant: number;
  /** Jobs that wait in memory for room, of one key and in all. What is beyond waits in the database. */
  readonly waitingOfKey: number;
  readonly waiting: number;
}

/** Why a job was not tried: the work itself broke, the process stops, or others come first. */
export type Release = 'internal' | 'closed' | 'waits';

/** Where the jobs of one kind are kept, and how one is done. A job that a node took is held by it, and by no other. */
export interface Definition<Job, Verdict, Key extends string = string> {
  /** As logs name it. */
  readonly name: string;
  readonly room: Room;
  /** For how long a node holds what it takes. It goes on holding what takes longer. */
  readonly leaseSeconds: number;
  /** Keys with something due, in whichever tenant. */
  readonly findDue: () => Promise<readonly KeyRef<Key>[]>;
  /** Takes what is due for these keys, of each as many as its limit says (`SKIP LOCKED`). */
  readonly claim: (round: readonly Turn<Key>[], now: Date) => Promise<readonly Job[]>;
  /** Goes on holding these; those that another node has taken over stay with it. */
  readonly hold: (jobs: readonly Job[], until: Date) => Promise<void>;
  /** Writes down how these ended; of those that another node has taken over, nothing. */
  readonly finish: (ended: readonly Ended<Job, Verdict>[]) => Promise<void>;
  readonly keyOf: (job: Job) => KeyRef<Key>;
  /** Does a job once. At least once in all: with the same id each time. */
  readonly attempt: (job: Job) => Promise<Verdict>;
  /** What is written down of a job that was not tried: when it is due again. */
  readonly release: (why: Release, now: Date) => Verdict;
  /** What a verdict tells of its key; `released`: the key waits until the next look. */
  readonly judge: (verdict: Verdict) => 'well' | 'failing' | 'released' | undefined;
}

/** A job with how it ended. */
export interface Ended<Job, Verdict> {
  readonly job: Job;
  readonly verdict: Verdict;
}
