/** An entry of the search: an operation or an event type. `words` are further words that lead to it. */
export type SearchEntry = readonly [
  url: string,
  title: string,
  method: string,
  path: string,
  words: string,
];

const MOST = 12;
/** The lowest score of a result, of the best one. */
const WORST = 0.3;
/** The start of most paths. */
const PREFIX = '/api/sso/v1';
/** How well a word of the query matches, by where it matches. */
const SCORE = {
  title: 8,
  titleStart: 6,
  path: 5,
  more: 3,
  moreStart: 2,
  pathEnd: 4,
  api: 1,
} as const;
/** Of a match by a synonym. */
const SYNONYM = 0.7;
/** Words of a query that say nothing. */
const IGNORED = new Set(
  'a an the to of in for with by on and or as is from how do i my'.split(' '),
);

/** Two words with one meaning. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:log|sign)[ -]?in\b/g, 'login'],
  [/\b(?:log|sign)[ -]?(?:out|off)\b/g, 'logout'],
  [/\bsign[ -]?up\b/g, 'register'],
  [/\bdevice (?:code|flow|grant)\b/g, 'device authorization'],
];

/** The words of the contract for other words that developers type. */
const SYNONYMS = new Map(
  Object.entries({
    '2fa': 'factor totp',
    add: 'create invite register upload',
    assign: 'update add',
    authenticate: 'login',
    avatar: 'picture',
    ban: 'disable',
    block: 'disable',
    certificate: 'key',
    change: 'update set make send',
    check: 'evaluate introspect verify',
    deactivate: 'disable',
    decode: 'introspect',
    edit: 'update',
    email: 'identifier',
    find: 'list',
    forgot: 'recovery',
    generate: 'create',
    google: 'provider',
    grant: 'token',
    group: 'workspace role',
    idp: 'provider',
    impersonation: 'impersonate',
    introspection: 'introspect',
    invalidate: 'revoke end',
    jwt: 'token',
    login: 'sign',
    logout: 'session',
    magic: 'link',
    mfa: 'factor totp',
    org: 'tenant workspace',
    organisation: 'tenant workspace',
    organization: 'tenant workspace',
    otp: 'totp',
    password: 'secret',
    permission: 'scope access evaluate',
    phone: 'identifier',
    photo: 'picture',
    ping: 'health',
    registration: 'register',
    remove: 'delete revoke end',
    renew: 'refresh rotate',
    reset: 'recovery new',
    revocation: 'revoke',
    rotation: 'rotate',
    scope: 'role permission resource',
    search: 'list',
    show: 'get',
    social: 'provider',
    sso: 'provider',
    suspend: 'disable',
    team: 'workspace',
    unban: 'unlock',
    unblock: 'unlock',
    validate: 'introspect verify',
    whoami: 'caller userinfo',
  }),
);

/** Returns the entries that match the most words of the query, the best match first. */
export function match(entries: readonly SearchEntry[], query: string): readonly SearchEntry[] {
  const text = PHRASES.reduce(
    (all, [phrase, word]) => all.replace(phrase, word),
    query.toLowerCase(),
  );
  const words = wordsOf(text).filter((word) => !IGNORED.has(word));
  const ranked = entries.map((entry) => ({ entry, ...rank(entry, words) }));
  const most = Math.max(...ranked.map(({ found }) => found));
  if (most === 0) return [];
  const best = Math.max(...ranked.map(({ found, score }) => (found === most ? score : 0)));
  return ranked
    .filter(({ found, score }) => found === most && score >= best * WORST)
    .toSorted((first, second) => second.score - first.score)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

/** Splits a text into words of letters and digits, in lower case and without the s of a plural. */
export function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word));
}

interface Parts {
  readonly title: readonly string[];
  readonly path: readonly string[];
  readonly more: readonly string[];
  readonly end: string | undefined;
}

/**
 * Returns how many words an entry matches, and how well. The API is before pages, operations are before events, and
 * short titles before long ones.
 */
function rank([, title, method, path, more]: SearchEntry, words: readonly string[]) {
  const isEvent = method === 'EVENT';
  const inPath = wordsOf(`${method} ${path.replace(PREFIX, '')}`);
  const parts = {
    title: wordsOf(title),
    path: inPath,
    more: more.split(' '),
    end: isEvent ? undefined : inPath.at(-1),
  };
  const scores = words.map((word) => {
    const others = SYNONYMS.get(word)?.split(' ') ?? [];
    const best = Math.max(0, ...others.map((other) => scoreOf(other, parts)));
    return Math.max(scoreOf(word, parts), best * SYNONYM);
  });
  const sum = scores.reduce((total, score) => total + score, 0);
  const kind = path.startsWith(PREFIX) ? SCORE.api : 0;
  return {
    found: scores.filter((score) => score > 0).length,
    score: sum + (isEvent ? -SCORE.path : kind) - title.length / 100,
  };
}

function scoreOf(word: string, { title, path, more, end }: Parts): number {
  const starts = (text: string) => text.startsWith(word);
  const atEnd = end === word ? SCORE.pathEnd : 0;
  if (title.includes(word)) return SCORE.title + atEnd;
  if (title.some(starts)) return SCORE.titleStart + atEnd;
  if (path.some(starts)) return SCORE.path + atEnd;
  if (more.includes(word)) return SCORE.more;
  return more.some(starts) ? SCORE.moreStart : 0;
}
