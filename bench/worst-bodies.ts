import { bodyLimitOf, type Route } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { readForm } from '@keywright/server/platform/http/form';
import { readJson } from '@keywright/server/platform/http/json';
import { validator } from '@keywright/server/platform/http/validation';

/** Run by hand: for how long the worst body of each route holds the event loop, in milliseconds. */
const WARM_UP = 5;
const ROUNDS = 50;

/** Bodies of about so many bytes, in a field of the route. */
const SHAPES: Readonly<Record<string, (bytes: number, field: string) => string>> = {
  brackets: (bytes) => '['.repeat(bytes),
  'lists in a list': (bytes, field) => `{"${field}":[${fill('[]', bytes)}]}`,
  elements: (bytes, field) => `{"${field}":[${fill('1', bytes)}]}`,
  'the same text': (bytes, field) => `{"${field}":[${fill('"read:a"', bytes)}]}`,
  'other texts': (bytes, field) =>
    `{"${field}":[${fill((at) => `"read:${at.toString(36)}"`, bytes)}]}`,
  members: (bytes) => `{${fill((at) => `"${at.toString(36)}":1`, bytes)}}`,
  'members further in': (bytes, field) =>
    `{"${field}":{${fill((at) => `"${at.toString(36)}":1`, bytes)}}}`,
  objects: (bytes, field) => `{"${field}":[${fill('{"a":1}', bytes)}]}`,
  escapes: (bytes, field) => `{"${field}":"${'\\u00e4'.repeat(bytes / 6 - 10)}"}`,
  quotes: (bytes, field) => `{"${field}":"${'\\"'.repeat(bytes / 2 - 20)}"}`,
  backslashes: (bytes, field) => `{"${field}":"${'\\\\'.repeat(bytes / 2 - 20)}"}`,
  surrogates: (bytes, field) => `{"${field}":"${'\\ud83d\\udd11'.repeat(bytes / 12 - 5)}"}`,
  text: (bytes, field) => `{"${field}":"${'a'.repeat(bytes - 40)}"}`,
  spaces: (bytes) => ' '.repeat(bytes),
};

function fill(entry: string | ((at: number) => string), bytes: number): string {
  const entries: string[] = [];
  let length = 40;
  for (let at = 0; length < bytes; at += 1) {
    const one = typeof entry === 'string' ? entry : entry(at);
    entries.push(one);
    length += one.length + 1;
  }
  return entries.slice(0, -1).join(',');
}

/** Of this thread's own time, whose clock is coarse: what else the machine does counts for nothing. */
function meanMs(work: () => void): number {
  for (let round = 0; round < WARM_UP; round += 1) work();
  const began = process.threadCpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) work();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1000 / ROUNDS;
}

function handle(
  read: (bytes: Buffer) => unknown,
  check: (value: unknown) => unknown,
  bytes: Buffer,
) {
  try {
    check(read(bytes));
  } catch {
    // Refused, which is an answer as well.
  }
}

function worstOf(route: Route): { readonly shape: string; readonly ms: number } {
  const { body } = route;
  if (!body) return { shape: '', ms: 0 };
  const check = validator(body, false);
  const limit = bodyLimitOf(route);
  let worst = { shape: '', ms: 0 };
  for (const [shape, make] of Object.entries(SHAPES)) {
    for (const field of Object.keys(body.properties)) {
      const bytes = Buffer.from(make(limit, field));
      const ms = meanMs(() => handle(readJson, check, bytes));
      if (ms > worst.ms) worst = { shape: `${shape} in ${field}`, ms };
    }
  }
  if (route.oauth) {
    const form = Buffer.from(`a=${'%C3%A4'.repeat(limit / 6 - 1)}`);
    const ms = meanMs(() => handle(readForm, check, form));
    if (ms > worst.ms) worst = { shape: 'escapes in a form', ms };
  }
  return worst;
}

for (const route of ROUTES) {
  if (!route.body) continue;
  const { shape, ms } = worstOf(route);
  console.log(
    `${ms.toFixed(2).padStart(7)} ms  ${route.id.padEnd(26)} ${bodyLimitOf(route) / 1024} KiB  ${shape}`,
  );
}
