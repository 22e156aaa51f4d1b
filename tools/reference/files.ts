import { routePages } from './routes.ts';

/** Returns the generated pages of docs/reference that describe more than one part of the repository, by path from the root. */
export function referenceFiles(): ReadonlyMap<string, string> {
  return routePages();
}
