// What each column of a file becomes, if no product defines it.

import {
  appearanceOf,
  encoded,
  identifiersOf,
  inactiveIf,
  phone,
  type Source,
  type SourceRecord,
  text,
  truth,
  withPassword,
} from '@keywright/contract/user-exports/source';

export const TARGETS = [
  'nothing',
  'email',
  'email_verified',
  'phone',
  'phone_verified',
  'name',
  'picture',
  'roles',
  'is_active',
  'password',
  'metadata',
] as const;
export type Target = (typeof TARGETS)[number];
/** Targets by the name of the column. */
export type Mapping = Readonly<Record<string, Target>>;

const GUESSES: readonly (readonly [RegExp, Target])[] = [
  [/^e?mail(address)?$/, 'email'],
  [/^e?mail_?(is_?)?(verified|confirmed)(_?at)?$/, 'email_verified'],
  [/^(phone|mobile)(_?number)?$/, 'phone'],
  [/^(phone|mobile)(_?number)?_?(is_?)?(verified|confirmed)(_?at)?$/, 'phone_verified'],
  [/^(full_?|display_?)?name$/, 'name'],
  [/^(picture|avatar|photo|image)(_?ur[il])?$/, 'picture'],
  [/^roles?$/, 'roles'],
  [/^(is_?)?(active|enabled)$/, 'is_active'],
  [/^(password(_?hash)?|(password_?)?hash|encrypted_password)$/, 'password'],
];

/** Maps columns with usual names; the others remain unmapped until the user chooses. */
export function guessMapping(columns: readonly string[]): Mapping {
  const taken = new Set<Target>();
  const guessed = columns.map((column) => {
    const name = column
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_')
      .replace(/^e_mail/, 'email');
    const target = GUESSES.find(
      ([pattern, candidate]) => pattern.test(name) && !taken.has(candidate),
    )?.[1];
    if (target) taken.add(target);
    return [column, target ?? 'nothing'] as const;
  });
  return Object.fromEntries(guessed);
}

/** Whether a column distinguishes users. */
export function hasIdentifier(mapping: Mapping): boolean {
  return Object.values(mapping).some((target) => target === 'email' || target === 'phone');
}

/** Returns a source that reads a file according to the mapping of its columns. */
export function sourceOfColumns(mapping: Mapping): Source {
  const columnsOf = (target: Target) =>
    Object.keys(mapping).filter((column) => mapping[column] === target);
  return {
    form: 'any',
    convert: (record) => {
      const hash = text(record, ...columnsOf('password'));
      const active = columnsOf('is_active');
      const roles = columnsOf('roles').flatMap((column) => namesOf(record[column]));
      const metadata = columnsOf('metadata').filter((column) => record[column] !== undefined);
      return {
        identifiers: identifiersOf([
          {
            identifier: text(record, ...columnsOf('email'))?.trim(),
            verified: isTrue(record, columnsOf('email_verified')),
          },
          {
            identifier: phone(text(record, ...columnsOf('phone'))?.trim()),
            verified: isTrue(record, columnsOf('phone_verified')),
          },
        ]),
        ...appearanceOf(
          [text(record, ...columnsOf('name'))],
          text(record, ...columnsOf('picture')),
        ),
        ...withPassword(hash === undefined ? undefined : encoded(hash)),
        ...(roles.length === 0 ? {} : { roles }),
        ...inactiveIf(active.some((column) => isFalse(record[column]))),
        ...(metadata.length === 0
          ? {}
          : { metadata: Object.fromEntries(metadata.map((column) => [column, record[column]])) }),
      };
    },
  };
}

/** Also accepts the time since when something is true, as databases store it. */
function isTrue(record: SourceRecord, columns: readonly string[]): boolean {
  const lower = Object.fromEntries(columns.map((column) => [column, lowered(record[column])]));
  return (
    truth(lower, ...columns) ||
    columns.some((column) => lower[column] === 'yes' || isMoment(lower[column]))
  );
}

function isMoment(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value);
}

function isFalse(value: unknown): boolean {
  return [false, 0, '0', 'f', 'false', 'no'].includes(lowered(value) as string);
}

function lowered(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : value;
}

function namesOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value.map(String) : [typeof value === 'string' ? value : ''];
  return list.flatMap((entry) => entry.split(/[\s,;|]+/)).filter((name) => name !== '');
}
