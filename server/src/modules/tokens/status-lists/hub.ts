import type { Log } from '../../../platform/log.ts';
import type { StatusChange } from './changes.ts';
import type { Connection } from './connection.ts';
import type { Revocations } from './revocations.ts';
import type { TenantStatus } from './tenant-status.ts';
import type { StatusSigner } from './status-signer.ts';

/** Nobody is told that they are up to date when the database was last asked longer ago. */
const VOUCHED_MS = 2500;
/** Between two questions after announcements; the first one is asked at once. */
const GAP_MS = 50;

/** Everybody who follows the revocations of one tenant on this node. */
export class Hub {
  readonly status: TenantStatus;
  readonly #revocations: Revocations;
  readonly #signer: StatusSigner;
  readonly #log: Log;
  readonly #connections = new Set<Connection>();
  /** Changes are told one after the other. */
  #telling: Promise<void> = Promise.resolve();
  #asking: NodeJS.Timeout | undefined;

  constructor(status: TenantStatus, revocations: Revocations, signer: StatusSigner, log: Log) {
    this.status = status;
    this.#revocations = revocations;
    this.#signer = signer;
    this.#log = log;
    status.onChange = (change) => {
      this.#telling = this.#telling.then(() => this.#try(() => this.#tell(change)));
    };
  }

  get isEmpty(): boolean {
    return this.#connections.size === 0;
  }

  /** Tells somebody new what came after the version that they have, and from then on every change. */
  async join(connection: Connection, after: number | undefined): Promise<void> {
    this.#connections.add(connection);
    await this.#try(() => this.#bringUp(connection, after));
  }

  leave(connection: Connection): void {
    this.#connections.delete(connection);
  }

  /** Something has changed: asks what, but not for each of many changes. */
  ask(): void {
    if (this.#asking !== undefined) return;
    const sinceMs = performance.now() - this.status.askedAt;
    this.#asking = setTimeout(
      () => {
        this.#asking = undefined;
        void this.#try(() => this.#revocations.refresh(this.status));
      },
      Math.max(0, GAP_MS - sinceMs),
    );
    this.#asking.unref();
  }

  /** Tells whoever has missed something what it was, and on demand the others that there was nothing. */
  async beat(isForAll: boolean): Promise<void> {
    this.#signer.forget();
    const { version, askedAt } = this.status;
    if (version === undefined) return;
    const behind = [...this.#connections].filter((one) => one.version !== version);
    await Promise.all(behind.map((one) => this.#try(() => this.#bringUp(one, one.version))));
    if (isForAll && performance.now() - askedAt < VOUCHED_MS) {
      await this.#try(() => this.#tell({ from: version, version, bits: [] }));
    }
  }

  /** Ends every connection: because the tenant is no more, or because this node goes. */
  async end(isClosed: boolean): Promise<void> {
    clearTimeout(this.#asking);
    this.status.onChange = undefined;
    const lastWords = isClosed ? await this.#signer.closed() : undefined;
    for (const connection of this.#connections) connection.end(lastWords);
  }

  async #tell(change: StatusChange): Promise<void> {
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
        // Meanwhile it may have been told of more than this.
        if ((connection.version ?? -1) < change.version) connection.send(text, change.version);
        if (change.version >= (this.status.version ?? 0)) return;
      }
    } finally {
      connection.isCatchingUp = false;
    }
  }

  async #since(place: number | undefined): Promise<StatusChange> {
    const { status } = this;
    // It was told by a node that knew more than this one does yet.
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
