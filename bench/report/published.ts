import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Party } from '../measure/party.ts';
import type { FigureRecord } from './figure.ts';
import type { Conditions, RowRecord } from './record.ts';

const FILE = fileURLToPath(new URL('../../docs/performance/figures.jsonl', import.meta.url));

/** Figures of one operation on the installation with this many tenants. */
export interface TenantsRecord extends Conditions {
  readonly row: string;
  readonly operation: string;
  readonly reach: string;
  readonly tenants: number;
  readonly to_first: Readonly<Record<'cpu' | 'p50' | 'p99' | 'per_second', number>>;
}

/** Memory of a node after requests to this many tenants. */
export interface MemoryRecord extends Conditions {
  readonly row: string;
  readonly tenants: number;
  readonly resident_mb: number;
}

/** A line of a result file. */
export type ResultRecord = Conditions & { readonly row: string; readonly party?: Party };

/** The last published figures of each row. */
export class Published {
  readonly #records: readonly ResultRecord[];

  constructor(records: readonly ResultRecord[]) {
    this.#records = records;
  }

  static read(): Published {
    return new Published(existsSync(FILE) ? readLines(FILE) : []);
  }

  /** Replaces earlier figures of the same rows, of all parties: a row has figures of one run only. */
  with(found: readonly ResultRecord[]): Published {
    const renewed = new Set(found.map(rowOf));
    const others = this.#records.filter((record) => !renewed.has(rowOf(record)));
    return new Published(
      [...others, ...found].toSorted((record, other) => (keyOf(record) < keyOf(other) ? -1 : 1)),
    );
  }

  write(): void {
    writeFileSync(FILE, this.#records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }

  /** Measured CPU costs of all parties. */
  measured(): RowRecord[] {
    return this.#records.filter(
      (record): record is RowRecord => 'server_micros' in record && 'floor' in record,
    );
  }

  /** Measured CPU costs, and the costs of code exchanges, which are derived from them. */
  costs(): RowRecord[] {
    const measured = this.measured();
    return [...measured, ...exchangesOf(measured)];
  }

  cost(row: string, party: Party = 'keywright'): RowRecord | undefined {
    return this.costs().find((record) => record.row === row && record.party === party);
  }

  figure(row: string, party: Party = 'keywright'): FigureRecord | undefined {
    return this.figures().find((record) => record.row === row && record.party === party);
  }

  figures(): FigureRecord[] {
    return this.#records.filter(
      (record): record is FigureRecord => 'values' in record && 'unit' in record,
    );
  }

  tenants(): TenantsRecord[] {
    return this.#records.filter((record): record is TenantsRecord => 'to_first' in record);
  }

  memory(): MemoryRecord[] {
    return this.#records.filter((record): record is MemoryRecord => 'resident_mb' in record);
  }
}

/** Derives the cost of only the code exchange: a row about codes also makes an authorization request for each code. */
function exchangesOf(measured: readonly RowRecord[]): RowRecord[] {
  return measured.flatMap((codes) => {
    const algorithm = /^oauth-code-(.+)$/.exec(codes.row)?.[1];
    const authorize = measured.find(
      ({ row, party, at }) => row === 'oauth-authorize' && party === codes.party && at === codes.at,
    );
    if (algorithm === undefined || !authorize) return [];
    const alone = (name: 'server_micros' | 'database_micros') =>
      2 * (codes[name] ?? 0) - (authorize[name] ?? 0);
    return {
      ...codes,
      row: `oauth-exchange-${algorithm}`,
      server_micros: alone('server_micros'),
      database_micros: alone('database_micros'),
    };
  });
}

/** The embedded database is measured apart from the others. */
function rowOf({ row, party }: ResultRecord): string {
  return party === 'keywright-embedded' ? `${row}, embedded` : row;
}

function keyOf({ row, party = 'keywright' }: ResultRecord): string {
  return `${row} ${party}`;
}

export function readLines(file: string): ResultRecord[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as ResultRecord);
}
