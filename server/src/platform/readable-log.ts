const LEVELS: ReadonlyMap<unknown, string> = new Map([
  [10, 'trace'],
  [20, 'debug'],
  [40, 'warn'],
  [50, 'error'],
  [60, 'fatal'],
]);
/** Fields of every line that a person at a terminal does not need. */
const OMITTED = new Set(['level', 'time', 'msg', 'err', 'worker']);

interface LoggedError {
  readonly message?: string;
  readonly stack?: string;
}

/**
 * A log line for a person at a terminal, from its JSON form:
 * `06:02:35 GET /api/sso/v1/me 200 3 ms` for a request, otherwise the level unless it is info, the message and the
 * fields.
 */
export function readableLine(json: string): string {
  const line = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const time = String(line['time']).slice(11, 19);
  const parts = line['msg'] === 'request' ? requestParts(line) : messageParts(line);
  return `${[time, ...parts].filter((part) => part !== undefined).join(' ')}\n`;
}

function requestParts({ method, path, status, ms, code }: Readonly<Record<string, unknown>>) {
  const shown = [method, path, status, `${Math.round(Number(ms))} ms`, code];
  return shown.filter((part) => part !== undefined).map(visible);
}

function messageParts(line: Readonly<Record<string, unknown>>): (string | undefined)[] {
  const { message, stack } = (line['err'] ?? {}) as LoggedError;
  const fields = Object.entries(line).filter(([name]) => !OMITTED.has(name));
  const level = LEVELS.get(line['level']);
  const text = visible(line['msg'] ?? '');
  return [
    level?.toUpperCase(),
    message === undefined ? text : `${text}: ${visible(message)}`,
    ...fields.map(([name, value]) => `${visible(name)}=${visible(asText(value))}`),
    // A warning names its cause; only an error shows the stack.
    Number(line['level']) >= 50 && stack !== undefined
      ? `\n${stack.split('\n').map(visible).join('\n')}`
      : undefined,
  ];
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Escapes control characters, which can come from requests and would control the terminal. */
function visible(value: unknown): string {
  return String(value).replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
