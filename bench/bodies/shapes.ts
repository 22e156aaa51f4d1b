import { MAX_MEMBERS, MAX_VALUES } from '@keywright/server/platform/http/json';
import type { TSchema } from 'typebox';

/** The service rejects bodies with more values before parsing. The margin is for values in the surrounding text. */
const MOST = MAX_VALUES - 50;
const DEEPEST_PLACE = 3;

/** The same for object members, whose limit is lower. */
const MOST_MEMBERS = MAX_MEMBERS - 50;

/** @param most the maximum number of entries */
function fill(bytes: number, entry: (at: number, width: number) => string, most = MOST): string {
  const width = Math.max(3, Math.floor(bytes / most) - 4);
  const entries: string[] = [];
  for (let at = 0, length = 0; at < most; at += 1) {
    const text = entry(at, width);
    length += text.length + 1;
    if (length > bytes) break;
    entries.push(text);
  }
  return entries.join(',');
}

const name = (at: number, width: number) => at.toString(36).padEnd(width, 'x');
const repeated = (text: string, bytes: number) =>
  `"${text.repeat(Math.floor((bytes - 2) / Buffer.byteLength(text)))}"`;

/** Values of about this many bytes as JSON: as many values as a body can hold, or a few long ones. */
export const VALUES: Readonly<Record<string, (bytes: number) => string>> = {
  numbers: (bytes) => `[${fill(bytes - 2, () => '1')}]`,
  lists: (bytes) => `[${fill(bytes - 2, () => '[]', MOST / 2)}]`,
  'nested lists': (bytes) =>
    `[${fill(bytes - 2, () => `${'['.repeat(30)}${']'.repeat(30)}`, Math.floor(MOST / 31))}]`,
  objects: (bytes) => `[${fill(bytes - 2, () => '{"a":1}', MOST_MEMBERS)}]`,
  'the same text': (bytes) => `[${fill(bytes - 2, (_at, width) => `"${name(0, width)}"`)}]`,
  'other texts': (bytes) => `[${fill(bytes - 2, (at, width) => `"${name(at, width)}"`)}]`,
  scopes: (bytes) => `[${fill(bytes - 2, (at) => `"read:x${at.toString(36)}"`)}]`,
  members: (bytes) =>
    `{${fill(bytes - 2, (at, width) => `"${name(at, width - 2)}":1`, MOST_MEMBERS)}}`,
  text: (bytes) => repeated('a', bytes),
  'wide text': (bytes) => repeated('\u{1f511}', bytes),
  escapes: (bytes) => repeated('\\u00e4', bytes),
  quotes: (bytes) => repeated('\\"', bytes),
  surrogates: (bytes) => repeated('\\ud83d\\udd11', bytes),
};

/** Whole bodies, for any route. */
export const WHOLES: Readonly<Record<string, (bytes: number) => string>> = {
  brackets: (bytes) => '['.repeat(bytes),
  spaces: (bytes) => ' '.repeat(bytes),
  ...Object.fromEntries(Object.entries(VALUES).map(([what, make]) => [`${what} alone`, make])),
};

/** A position in a body where a value can stand. */
export interface Place {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

type Node = TSchema & {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
};

/** Every field of a body, and of the objects in it. */
export function placesIn(schema: TSchema, at?: Place): Place[] {
  const { properties = {}, items, anyOf = [], patternProperties } = schema as Node;
  const here = at ? [at] : [];
  if (at && at.name.split('/').length > DEEPEST_PLACE) return here;
  const { name: path = '', before = '', after = '' } = at ?? {};
  const field = (key: string, inner: TSchema) =>
    placesIn(inner, { name: `${path}/${key}`, before: `${before}{"${key}":`, after: `}${after}` });
  return [
    ...here,
    ...Object.entries(properties).flatMap(([key, inner]) => field(key, inner)),
    ...Object.values(patternProperties ?? {}).flatMap((inner) => field('a', inner)),
    ...(items
      ? placesIn(items, { name: `${path}/*`, before: `${before}[`, after: `]${after}` })
      : []),
    ...anyOf.flatMap((inner) => placesIn(inner, at).filter((place) => place !== at)),
  ];
}
