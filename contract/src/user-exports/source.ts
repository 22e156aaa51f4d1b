import { NAME_LENGTH, NOT_IN_NAMES } from '../records/profile.ts';
import type { ImportedUser } from '../records/user-import.ts';

/** A record from another product, with any fields. */
export type SourceRecord = Readonly<Record<string, unknown>>;

/** The reason why a record is not sent. */
export class RecordProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RecordProblem';
  }
}

/** The reason why a file cannot be read. */
export class ExportProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ExportProblem';
  }
}

/** The maximum length of a record in characters, many times what the service accepts. */
const MAX_RECORD = 1024 * 1024;

/** @throws ExportProblem if the unfinished record is too long */
export function requireBounded(rest: string): void {
  if (rest.length <= MAX_RECORD) return;
  throw new ExportProblem(`A record is longer than ${MAX_RECORD} characters.`);
}

/** A record with its position in the file: a line number, or an index in a list. */
export interface Found {
  readonly at: number;
  readonly record: SourceRecord | RecordProblem;
}

/** Parses a record, or returns the problem. */
export function recordOf(json: string): SourceRecord | RecordProblem {
  const value = parsed(json);
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as SourceRecord) : new RecordProblem('is not a JSON object');
}

/** How to read the export of a product. */
export interface Source {
  /** The file format; `any`: detects JSON, JSON lines or CSV. */
  readonly form: 'lines' | 'any';
  /** The field of a JSON object that contains the users. */
  readonly within?: string;
  /** @throws RecordProblem */
  readonly convert: (record: SourceRecord, settings: SourceSettings) => ImportedUser;
}

/** Settings that the export does not contain. */
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

/** Reads a Boolean, including the values that CSV exports contain. */
export function truth(record: SourceRecord, ...names: readonly string[]): boolean {
  return names.some((name) => [true, 1, '1', 't', 'true'].includes(record[name] as string));
}

/** Reads an object, or its JSON from a column of a CSV file. */
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

/** @throws RecordProblem without any identifier */
export function identifiersOf(contacts: readonly Contact[]): ImportedUser['identifiers'] {
  const identifiers = contacts.flatMap(({ identifier, verified }) =>
    identifier === undefined ? [] : [{ identifier, verified }],
  );
  if (identifiers.length > 0) return identifiers;
  throw new RecordProblem('has neither an email address nor a phone number');
}

/** Adds the plus sign that some exports omit. */
export function phone(number: string | undefined): string | undefined {
  return number === undefined || number.startsWith('+') ? number : `+${number}`;
}

/** Returns the name if it is an email address. */
export function emailIn(name: string | undefined): string | undefined {
  return name?.includes('@') ? name : undefined;
}

const UNNAMEABLE = new RegExp(`[${NOT_IN_NAMES}]`, 'gu');
/** A URL of a host with a public name, without credentials. */
const PICTURE = /^https:\/\/(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+(?::\d+)?(?:[/?#][\x21-\x7e]*)?$/i;
const PRIVATE = /^https:\/\/[^/?#:]*\.(?:localhost|local|internal|home\.arpa)(?:[/?#:]|$)/i;

/**
 * Returns the name and picture of a user, without those that the service would reject: they are not worth losing a user.
 * @param names the whole name, used first; the given name and the family name
 */
export function appearanceOf(
  names: readonly (string | undefined)[],
  picture: string | undefined,
): Pick<ImportedUser, 'name' | 'picture'> {
  const [whole, ...parts] = names.map(tidyName);
  const name = whole || tidyName(parts.join(' '));
  const isShown = picture !== undefined && picture.length <= 2048 && PICTURE.test(picture);
  return {
    ...(name && { name }),
    ...(isShown && !PRIVATE.test(picture) && { picture }),
  };
}

function tidyName(name = ''): string {
  const visible = name.toWellFormed().replaceAll(UNNAMEABLE, ' ').trim().replaceAll(/\s+/gu, ' ');
  return visible
    .slice(0, NAME_LENGTH)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
}

/** Returns the origin of a user for the metadata. Tokens of the other product contained this ID. */
export function origin(from: string, id: string | undefined) {
  return { imported: { from, ...(id === undefined ? {} : { id }) } };
}

/** Detects the scheme of an encoded hash by its prefix. @throws RecordProblem */
export function encoded(hash: string): Password {
  if (/^\$2[aby]\$/.test(hash)) return { scheme: 'bcrypt', hash };
  if (/^\$argon2(i|id)\$/.test(hash)) return { scheme: 'argon2', hash };
  throw new RecordProblem('has a password hashed with an unsupported algorithm');
}

export function withPassword(password: Password | undefined) {
  return password === undefined ? {} : { password };
}

export function inactiveIf(isInactive: boolean) {
  return isInactive ? { is_active: false } : {};
}

/** Reads the pieces of a file in order. */
export interface Reader {
  /** The records that this piece completes. */
  push(piece: string): Found[];
  /** Returns the remaining records. @throws ExportProblem if the file has another format */
  end(): Found[];
}
