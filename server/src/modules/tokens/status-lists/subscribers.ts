import type { Log } from '../../../platform/log.ts';
import type { StatusChange } from './changes.ts';
import type { Connection } from './connection.ts';
import type { Revocations } from './revocations.ts';
import type { TenantStatus } from './tenant-status.ts';
import type { StatusSigner } from './status-signer.ts';

/** Subscribers are not told that they are up to date if the last query is older than this. */
const VOUCHED_MS = 2500;
/** Minimum interval of the queries that notifications cause; the first one is immediate. */
const GAP_MS = 50;

/** The status streams of one tenant on this node. */
export class Subscribers {
  readonly status: TenantStatus;
  readonly #revocations: Revocations;
  readonly #signer: StatusSigner;
  readonly #log: Log;
  readonly #connections = new Set<Connection>();
  /** Changes are sent one after the other. */
  #notifying: Promise<void> = Promise.resolve();
  #refreshTimer: NodeJS.Timeout | undefined;

  constructor(status: TenantStatus, revocations: Revocations, signer: StatusSigner, log: Log) {
    this.status = status;
    this.#revocations = revocations;
    this.#signer = signer;
    this.#log = log;
    status.onChange = (change) => {
      this.#notifying = this.#notifying.then(() => this.#try(() => this.#notify(change)));
    };
  }

  get isEmpty(): boolean {
    return this.#connections.size === 0;
  }

  /** Sends a new subscriber the changes after its version, and from then on every change. */
  async subscribe(connection: Connection, after: number | undefined): Promise<void> {
    this.#connections.add(connection);
    await this.#try(() => this.#bringUp(connection, after));
  }

  unsubscribe(connection: Connection): void {
    this.#connections.delete(connection);
  }

  /** Reads the changes after a notification, once for notifications in quick succession. */
  ask(): void {
    if (this.#refreshTimer !== undefined) return;
    const sinceMs = performance.now() - this.status.askedAt;
    this.#refreshTimer = setTimeout(
      () => {
        this.#refreshTimer = undefined;
        void this.#try(() => this.#revocations.refresh(this.status));
      },
      Math.max(0, GAP_MS - sinceMs),
    );
    this.#refreshTimer.unref();
  }

  /** Sends missed changes to those behind, and on demand an empty change to the others. */
  async beat(isForAll: boolean): Promise<void> {
    this.#signer.forget();
    const { version, askedAt } = this.status;
    if (version === undefined) return;
    const behind = [...this.#connections].filter((one) => one.version !== version);
    await Promise.all(behind.map((one) => this.#try(() => this.#bringUp(one, one.version))));
    if (isForAll && performance.now() - askedAt < VOUCHED_MS) {
      await this.#try(() => this.#notify({ from: version, version, bits: [] }));
    }
  }

  /** Ends every connection. @param isClosed whether the tenant is closed; otherwise this node shuts down */
  async end(isClosed: boolean): Promise<void> {
    clearTimeout(this.#refreshTimer);
    this.status.onChange = undefined;
    const lastWords = isClosed ? await this.#signer.closed() : undefined;
    for (const connection of this.#connections) connection.end(lastWords);
  }

  async #notify(change: StatusChange): Promise<void> {
    const text = await this.#signer.change(change);
    const { from, version } = change;
    for (const connection of this.#connections) {
      const known = connection.version;
      if (known === undefined || known < from || known > version) continue;
      if (known < version || from === version) connection.send(text, version);
    }
  }

  async #bringUp(connection: Connection, after: number | undefined): Promise<void> {
    if (connection.isCatchingUp) return;
    connection.isCatchingUp = true;
    try {
      for (let place = after; connection.isOpen; place = connection.version) {
        const change = await this.#since(place);
        const text = await this.#signer.change(change);
        // It may have received more than this meanwhile.
        if ((connection.version ?? -1) < change.version) connection.send(text, change.version);
        if (change.version >= (this.status.version ?? 0)) return;
      }
    } finally {
      connection.isCatchingUp = false;
    }
  }

  async #since(place: number | undefined): Promise<StatusChange> {
    const { status } = this;
    // Another node, which had read further, sent it that version.
    if (place !== undefined && place > (status.version ?? 0)) {
      await this.#revocations.refresh(status);
    }
    const version = status.version ?? 0;
    if (place === undefined || place === version) return { from: version, version, bits: [] };
    if (place > version) return { from: version, version, bits: undefined };
    return status.since(place) ?? this.#revocations.findSince(status, place);
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#log.warn({ err: error, tenant: this.status.tenantId }, 'a status stream fell behind');
    }
  }
}
