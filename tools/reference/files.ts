import { claimsPage } from './claims.ts';
import { cliPages } from './cli.ts';
import { environmentPage } from './environment.ts';
import { limitsPage } from './limits.ts';
import { routePages } from './routes.ts';
import { scopesPage } from './scopes.ts';
import { settingsPage } from './settings.ts';

/** Returns the generated pages of docs/reference that describe more than one part of the repository, by path from the root. */
export function referenceFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...routePages(),
    ['docs/reference/claims.md', claimsPage()],
    ...cliPages(),
    ['docs/reference/environment.md', environmentPage()],
    ['docs/reference/limits.md', limitsPage()],
    ['docs/reference/scopes.md', scopesPage()],
    ['docs/reference/settings.md', settingsPage()],
  ]);
}
