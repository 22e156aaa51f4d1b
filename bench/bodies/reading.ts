import { bodyLimitOf, type Route } from '@keywright/contract/route';
import { readForm } from '@keywright/server/platform/http/content';
import { readJson } from '@keywright/server/platform/http/json';
import { validator } from '@keywright/server/platform/http/validation';
import { placesIn, VALUES, WHOLES } from './shapes.ts';

const WARM_UP = 2;
const GLANCE = 3;
const ROUNDS = 30;
/** How many of the worst bodies are measured again, for longer. */
const WORST = 3;

/** A body that is slow to read, and the time it takes. */
export interface BadBody {
  readonly shape: string;
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly ms: number;
}

type Candidate = BadBody & { readonly work: () => void };

/** The bodies of a route that take the longest to read and to check, the worst first. */
export function worstBodiesOf(route: Route): BadBody[] {
  return candidatesOf(route)
    .toSorted((candidate, other) => other.ms - candidate.ms)
    .slice(0, WORST)
    .map(({ work, shape, bytes, contentType }) => {
      return { shape, bytes, contentType, ms: cpuMs(work, ROUNDS) };
    })
    .toSorted((body, other) => other.ms - body.ms);
}

function candidatesOf(route: Route): Candidate[] {
  const { body } = route;
  if (!body) return [];
  const check = validator(body, false);
  const limit = bodyLimitOf(route);
  const candidates: Candidate[] = [];
  const add = (shape: string, text: string, read: (bytes: Buffer) => unknown, type: string) => {
    const bytes = Buffer.from(text).subarray(0, limit);
    const work = () => attempt(() => check(read(bytes)));
    for (let round = 0; round < WARM_UP; round += 1) work();
    candidates.push({ shape, bytes, contentType: type, work, ms: cpuMs(work, GLANCE) });
  };
  for (const [shape, make] of Object.entries(WHOLES)) add(shape, make(limit), readJson, JSON_TYPE);
  for (const { name, before, after } of placesIn(body)) {
    for (const [shape, make] of Object.entries(VALUES)) {
      const value = make(limit - before.length - after.length);
      add(`${shape} in ${name}`, `${before}${value}${after}`, readJson, JSON_TYPE);
    }
  }
  if (route.form === 'accepted') {
    add('escapes in a form', `a=${'%C3%A4'.repeat(limit / 6 - 1)}`, readForm, FORM_TYPE);
    add('a form of many fields', 'a=b&'.repeat(limit / 4), readForm, FORM_TYPE);
  }
  return candidates;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // Rejecting it also counts.
  }
}

/** The mean CPU time of this thread, including garbage collection. */
function cpuMs(work: () => void, rounds: number): number {
  const before = process.threadCpuUsage();
  for (let round = 0; round < rounds; round += 1) work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 / rounds;
}
