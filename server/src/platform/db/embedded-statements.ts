import { type messages, parse, type PGlite, protocol } from '@electric-sql/pglite';
import type { Statement } from './database.ts';

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
  async run(one: Statement, values: readonly unknown[]) {
    const { name } = one;
    const prepared = this.#prepared.get(name) ?? (await this.#prepare(one));
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
