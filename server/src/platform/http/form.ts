import { AppError } from '@keywright/contract/errors';
import { isUtf8 } from '../builtins.ts';

/** Maximum number of fields in a form: far above the needs of any route. */
const MAX_FIELDS = 100;
const BROKEN_ESCAPE = /%(?![0-9a-fA-F]{2})/;

/**
 * Parses the fields of a form. Each is a string; a repeated field is a list, which only a route that declares it
 * accepts. Fields without a value are omitted (RFC 6749 §3.1).
 * @throws AppError REQUEST_MALFORMED unless it is UTF-8, VALIDATION_FAILED with too many fields
 */
export function readForm(bytes: Buffer): Record<string, string | string[]> {
  const text = bytes.toString('latin1');
  requireFew(text);
  requireUtf8(bytes, text);
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(bytes.toString())) {
    if (value === '') continue;
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  const one = ([name, values]: [string, string[]]) => [
    name,
    values.length > 1 ? values : values[0],
  ];
  return Object.fromEntries([...fields].map(one));
}

function requireFew(text: string): void {
  let fields = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    fields += 1;
    if (fields > MAX_FIELDS) {
      const message = `must not have more than ${MAX_FIELDS} fields`;
      throw new AppError('VALIDATION_FAILED', { errors: [{ path: '', message }] });
    }
  }
}

/** Rejects invalid UTF-8, also percent-encoded: its replacement would make two passwords the same. */
function requireUtf8(bytes: Buffer, text: string): void {
  const isPlain = !text.includes('%');
  const isGood =
    isUtf8(bytes) && (isPlain || (!BROKEN_ESCAPE.test(text) && isUtf8(unescapeBytes(text))));
  if (!isGood) throw new AppError('REQUEST_MALFORMED', { detail: 'The form is not valid UTF-8.' });
}

function unescapeBytes(text: string): Buffer {
  const raw = text.replaceAll(/%([0-9a-fA-F]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(raw, 'latin1');
}
