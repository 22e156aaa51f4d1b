import assert from 'node:assert/strict';

/** What was found, each once with the places that it was found at. */
export class Findings {
  readonly #found = new Map<string, string[]>();

  add(findings: readonly string[], at: string): void {
    for (const one of findings) this.#found.set(one, [...(this.#found.get(one) ?? []), at]);
  }

  assertNone(): void {
    const told = [...this.#found].map(([finding, at]) => `${finding}: ${namesOf(at)}`);
    assert.equal(told.length, 0, told.join('\n'));
  }
}

const NAMED = 5;

function namesOf(places: readonly string[]): string {
  const rest = places.length - NAMED;
  return [...places.slice(0, NAMED), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
