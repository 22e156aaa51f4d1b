import type { ImportedUser } from '../records/user-import.ts';

/** A record of another product: whatever its export holds. */
export type SourceRecord = Readonly<Record<string, unknown>>;

/** Why a record is not sent. */
export class RecordProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RecordProblem';
  }
}

/** Why nothing of a file can be read. */
export class ExportProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ExportProblem';
  }
}

/** Characters of a record: many times what the service takes. */
const MAX_RECORD = 1024 * 1024;

/** @throws ExportProblem when what was read is no end of a record for too long */
export function requireBounded(rest: string): void {
  if (rest.length <= MAX_RECORD) return;
  throw new ExportProblem(`A record is longer than ${MAX_RECORD} characters.`);
}

/** A record, and its place in the file: a line, or its number in a list. */
export interface Found {
  readonly at: number;
  readonly record: SourceRecord | RecordProblem;
}

/** The record that a text is, if it is one. */
export function recordOf(json: string): SourceRecord | RecordProblem {
  const value = parsed(json);
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as SourceRecord) : new RecordProblem('is not a JSON object');
}

/** How the export of a product is read. */
export interface Source {
  /** Its form; `any`: JSON, JSON lines or CSV, whichever it is. */
  readonly form: 'lines' | 'any';
  /** Where the users are in a JSON object. */
  readonly within?: string;
  /** @throws RecordProblem */
  readonly convert: (record: SourceRecord, settings: SourceSettings) => ImportedUser;
}

/** What is not in the export. */
export interface SourceSettings {
  /** Firebase: the hash parameters of the project. */
  readonly hashConfig: Readonly<Record<string, string>> | undefined;
}

export type Password = NonNullable<ImportedUser['password']>;

export function text(record: SourceRecord, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** Also as CSV exports write it. */
export function truth(record: SourceRecord, ...names: readonly string[]): boolean {
  return names.some((name) => [true, 1, '1', 't', 'true'].includes(record[name] as string));
}

/** An object, or its JSON, as in a column of a CSV file. */
export function object(record: SourceRecord, ...names: readonly string[]): SourceRecord {
  for (const name of names) {
    const value = parsed(record[name]);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as SourceRecord;
    }
  }
  return {};
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

interface Contact {
  readonly identifier: string | undefined;
  readonly verified: boolean;
}

/** @throws RecordProblem without any of them */
export function identifiersOf(contacts: readonly Contact[]): ImportedUser['identifiers'] {
  const given = contacts.flatMap(({ identifier, verified }) =>
    identifier === undefined ? [] : [{ identifier, verified }],
  );
  if (given.length > 0) return given;
  throw new RecordProblem('has neither an e-mail address nor a phone number');
}

/** Some exports leave out the plus sign. */
export function phone(number: string | undefined): string | undefined {
  return number === undefined || number.startsWith('+') ? number : `+${number}`;
}

/** A name that is an e-mail address. */
export function emailIn(name: string | undefined): string | undefined {
  return name?.includes('@') ? name : undefined;
}

/** Where a user came from, in the metadata: tokens of the other product named this id. */
export function origin(from: string, id: string | undefined) {
  return { imported: { from, ...(id === undefined ? {} : { id }) } };
}

/** An encoded hash, by how it begins. @throws RecordProblem */
export function encoded(hash: string): Password {
  if (/^\$2[aby]\$/.test(hash)) return { scheme: 'bcrypt', hash };
  if (/^\$argon2(i|id)\$/.test(hash)) return { scheme: 'argon2', hash };
  throw new RecordProblem('has a password that was hashed by an algorithm that is not supported');
}

export function withPassword(password: Password | undefined) {
  return password === undefined ? {} : { password };
}

export function inactiveIf(isInactive: boolean) {
  return isInactive ? { is_active: false } : {};
}

/** Takes the pieces of a file in their order. */
export interface Reader {
  /** The records that this piece completes. */
  push(piece: string): Found[];
  /** What was left without an end. @throws ExportProblem if the file has another form */
  end(): Found[];
}
