import type { Route } from '@keywright/contract/route';

interface KnownPath {
  readonly segments: readonly string[];
  readonly routes: Route[];
}

/** The routes of the contract by path, to recognize requests with unsupported methods. */
export class KnownPaths {
  readonly #paths = new Map<string, KnownPath>();

  add(route: Route): void {
    const known = this.#paths.get(route.path) ?? { segments: route.path.split('/'), routes: [] };
    known.routes.push(route);
    this.#paths.set(route.path, known);
  }

  /**
   * Returns all routes that a request target matches: `/apikeys/report` is itself a path, and also matches a key's
   * path.
   */
  routesAt(url: string): Route[] {
    const path = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? '';
    const segments = path.split('/');
    return [...this.#paths.values()]
      .filter((known) => matches(known, segments))
      .flatMap(({ routes }) => routes);
  }
}

function matches({ segments }: KnownPath, asked: readonly string[]): boolean {
  return (
    segments.length === asked.length &&
    segments.every((one, index) =>
      one.startsWith(':') ? asked[index] !== '' : one === asked[index],
    )
  );
}

/** Returns the methods for the `Allow` header (RFC 9110 §10.2.1). */
export function methodsOf(routes: readonly Route[]): string[] {
  const methods = new Set<string>();
  for (const { method } of routes) {
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
  }
  return [...methods];
}
