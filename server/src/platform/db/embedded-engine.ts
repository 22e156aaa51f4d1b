import { type PGlite, type Results, type messages, parse, protocol } from '@electric-sql/pglite';
import { codeOf, reasonOf } from '../reason.ts';
import type { DatabaseFault, Statement } from './database.ts';
import type { OpenFolder } from './open-folder.ts';

/** Pause between attempts to restart PostgreSQL. An attempt takes up to a second, during which every request waits. */
const RESTART_PAUSE_MS = 2000;

const DUPLICATE_FILE = '58P02';

/** PostgreSQL ended within the process, as a server does after a PANIC. */
class EngineEnded extends Error {
  /** PostgreSQL's `crash_shutdown`: requests get 503. */
  readonly code = '57P02';

  constructor(why: string) {
    super(
      `the embedded PostgreSQL stopped: ${why.replace(/\.$/, '')}. Requests get 503 until a restart succeeds, ` +
        'which the next requests attempt.',
    );
    this.name = 'EngineEnded';
  }
}

interface Listener {
  readonly onMessage: (payload: string) => void;
  /** Called when notifications may have been missed. */
  readonly onGap: () => void;
}

export interface EngineOptions {
  /** Starts PostgreSQL on the files and replays the previous write-ahead log. */
  readonly start: () => Promise<PGlite>;
  /** Watches the location of the files once PostgreSQL runs; undefined for a database in memory. */
  readonly openFolder?: () => OpenFolder;
  /** Why PostgreSQL could not run on the files now; undefined if it could. */
  readonly findFault?: () => Error | undefined;
  /** Called once for each reason why PostgreSQL does not run. */
  readonly onEnded?: (message: string) => void;
  /** Called when PostgreSQL runs again. */
  readonly onRestarted?: (message: string) => void;
}

/**
 * PostgreSQL in this process. It is restarted when it ends: a full disk or a lack of file handles at a commit causes
 * a PANIC, which PGlite hides, continuing with the remaining state. Callers need exclusive use.
 */
export class EmbeddedEngine {
  readonly #options: EngineOptions;
  readonly #folder: OpenFolder | undefined;
  readonly #listeners = new Map<string, Listener>();
  #pglite: PGlite;
  #statements: EmbeddedStatements;
  /** Why it has ended. */
  #ended: EngineEnded | undefined;
  #restartAfter = 0;

  private constructor(options: EngineOptions, pglite: PGlite) {
    this.#options = options;
    this.#folder = options.openFolder?.();
    this.#pglite = pglite;
    this.#statements = new EmbeddedStatements(pglite);
  }

  static async start(options: EngineOptions): Promise<EmbeddedEngine> {
    return new EmbeddedEngine(options, await options.start());
  }

  /** Prepares for a transaction, restarting PostgreSQL if it has ended. @throws Error why it cannot be used */
  async requireUsable(): Promise<void> {
    this.#folder?.requireThere();
    if (this.#ended) await this.#restart(this.#ended);
  }

  /** Runs several statements without values, or one statement with values. @returns the result of the last statement */
  query(sql: string, values: readonly unknown[]): Promise<Results<unknown>> {
    return this.#requireAnswer(async () =>
      values.length === 0
        ? (await this.#pglite.exec(sql)).at(-1)
        : this.#pglite.query(sql, [...values]),
    );
  }

  /** Runs a named statement outside a transaction. */
  run(statement: Statement, values: readonly unknown[]): Promise<Results<unknown>> {
    return this.#requireAnswer(() => this.#statements.run(statement, values));
  }

  async listen(channel: string, listener: Listener): Promise<void> {
    await this.#pglite.listen(channel, listener.onMessage);
    this.#listeners.set(channel, listener);
  }

  async unlisten(channel: string): Promise<void> {
    this.#listeners.delete(channel);
    await this.#pglite.unlisten(channel);
  }

  fault(): DatabaseFault | undefined {
    if (this.#folder?.isGone) {
      return { code: 'data_folder', detail: 'The data folder was deleted, moved or replaced.' };
    }
    if (!this.#ended) return undefined;
    return { code: 'data_folder', detail: 'PostgreSQL stopped. The log shows the reason.' };
  }

  async close(): Promise<void> {
    // A shutdown must not write to files of another database.
    if (this.#ended || this.#folder?.isGone) closeFiles(this.#pglite);
    else await this.#pglite.close();
    this.#folder?.close();
  }

  /** Returns a result only if PostgreSQL completed the statement and the next start will find its files. */
  async #requireAnswer(
    work: () => Promise<Results<unknown> | undefined>,
  ): Promise<Results<unknown>> {
    if (this.#ended) throw this.#ended;
    try {
      const result = await work();
      // PGlite returns an empty result when PostgreSQL ended within the statement.
      if (!result || !('command' in result)) throw new EngineEnded('a statement was not completed');
      this.#folder?.requireThere();
      return result;
    } catch (error) {
      if (hasEnded(error)) this.#end(error);
      throw error;
    }
  }

  #end(error: unknown): EngineEnded {
    const fault = this.#options.findFault?.();
    const ended =
      error instanceof EngineEnded && !fault ? error : new EngineEnded(explain(fault ?? error));
    if (ended.message !== this.#ended?.message) this.#options.onEnded?.(ended.message);
    this.#ended = ended;
    return ended;
  }

  async #restart(ended: EngineEnded): Promise<void> {
    const now = performance.now();
    if (now < this.#restartAfter) throw ended;
    this.#restartAfter = now + RESTART_PAUSE_MS;
    closeFiles(this.#pglite);
    if (this.#options.findFault?.()) throw this.#end(ended);
    try {
      this.#pglite = await this.#options.start();
    } catch (error) {
      throw this.#end(error);
    }
    this.#ended = undefined;
    this.#statements = new EmbeddedStatements(this.#pglite);
    for (const [channel, { onMessage, onGap }] of this.#listeners) {
      await this.#pglite.listen(channel, onMessage);
      onGap();
    }
    this.#options.onRestarted?.('PostgreSQL was restarted');
  }
}

/**
 * Whether PostgreSQL cannot continue: after a FATAL or PANIC, an exception in its WebAssembly code, or
 * `duplicate_file`. If a file cannot be created for lack of a handle or of space, Emscripten treats it as existing
 * from then on.
 */
function hasEnded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof EngineEnded || error.name === 'RuntimeError') return true;
  if (codeOf(error) === DUPLICATE_FILE) return true;
  return 'severity' in error && /FATAL|PANIC/.test(String(error.severity));
}

function explain(error: unknown): string {
  if (codeOf(error) !== DUPLICATE_FILE) return reasonOf(error);
  return (
    'a file could not be created, because the process ran out of file handles, or the disk was full. ' +
    'Raise the limit of handles (`ulimit -n`, LimitNOFILE of systemd), or free some space'
  );
}

/** Closes the files even if PostgreSQL has ended. */
function closeFiles(pglite: PGlite): void {
  const { FS } = pglite.Module;
  for (const stream of FS.streams) {
    if (stream) FS.close(stream);
  }
}

const { serialize } = protocol;

/** The description of a prepared statement. */
interface Prepared {
  readonly parameterTypes: readonly number[];
  readonly description: readonly messages.BackendMessage[];
}

/**
 * Prepared statements for PGlite: parsed and planned once while the database is open, and sent in one message. PGlite's
 * own `query` parses each one every time, in six messages.
 */
export class EmbeddedStatements {
  readonly #pglite: PGlite;
  readonly #prepared = new Map<string, Prepared>();

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  /** Runs a prepared statement. The caller must have exclusive use of the connection, outside a transaction. */
  async run(statement: Statement, values: readonly unknown[]) {
    const { name } = statement;
    const prepared = this.#prepared.get(name) ?? (await this.#prepare(statement));
    const answer = await this.#send([
      serialize.bind({ statement: name, values: this.#serialized(prepared, values) }),
      serialize.execute({}),
    ]);
    return parse.parseResults([...prepared.description, ...answer], this.#pglite.parsers)[0];
  }

  async #prepare({ name, text }: Statement): Promise<Prepared> {
    const description = await this.#send([
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
    ]);
    const parameterTypes = parse.parseDescribeStatementResults(description);
    const prepared = { parameterTypes, description };
    this.#prepared.set(name, prepared);
    return prepared;
  }

  #serialized({ parameterTypes }: Prepared, values: readonly unknown[]) {
    return values.map((value, index) => {
      if (value === null || value === undefined) return null;
      return (this.#pglite.serializers[parameterTypes[index] ?? 0] ?? String)(value);
    });
  }

  /** Sends messages. The final `sync` also ends a failed statement. */
  #send(parts: readonly Uint8Array[]): Promise<messages.BackendMessage[]> {
    const message = Buffer.concat([...parts, serialize.sync()]);
    return this.#pglite.execProtocolStream(message, { syncToFs: false });
  }
}
