// Which zones can import which; dependencies.ts applies the table.

export type Zone =
  | 'contract'
  | 'platform'
  | 'callers'
  | 'tenancy'
  | 'module'
  | 'composition'
  | 'sdk'
  | 'cli'
  | 'ui'
  | 'example'
  | 'support'
  | 'nowhere';

const COMPOSITION_ROOT = [
  'app.ts',
  'assemble.ts',
  'bind-routes.ts',
  'foundation.ts',
  'main.ts',
  'modules.ts',
  'operate.ts',
  'stack-places.ts',
  'start.ts',
].map((file) => `server/src/${file}`);

/** The zones that each zone can import from. `support` (tests, bench, site, tools) can import anything. */
export const MAY_IMPORT: Readonly<Record<Exclude<Zone, 'support' | 'nowhere'>, readonly Zone[]>> = {
  contract: ['contract'],
  platform: ['contract', 'platform'],
  callers: ['contract', 'platform'],
  tenancy: ['contract', 'platform', 'callers', 'tenancy'],
  module: ['contract', 'platform', 'callers', 'tenancy', 'module'],
  composition: ['contract', 'platform', 'tenancy', 'module', 'composition'],
  sdk: ['contract', 'sdk'],
  cli: ['contract', 'sdk', 'cli'],
  ui: ['contract', 'sdk', 'ui'],
  example: ['sdk', 'example'],
};

/** The folder of all areas. */
export const MODULES = 'server/src/modules/';

const FOLDERS: readonly (readonly [prefix: string, zone: Zone])[] = [
  ['contract/', 'contract'],
  ['server/src/platform/', 'platform'],
  ['server/src/tenancy/', 'tenancy'],
  [MODULES, 'module'],
  ['sdk/test/', 'support'],
  ['sdk/', 'sdk'],
  ['examples/', 'example'],
  ['cli/', 'cli'],
  ['ui/', 'ui'],
  ['server/generate/', 'support'],
  ['server/sql/', 'callers'],
  ['site/', 'support'],
  ['tests/', 'support'],
  ['bench/', 'support'],
  ['tools/', 'support'],
];

export function zoneOf(path: string): Zone {
  if (COMPOSITION_ROOT.includes(path)) return 'composition';
  return FOLDERS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'nowhere';
}

/** The area and feature that a file belongs to (`tokens/sessions`), for files below server/src/modules. */
export function moduleOf(path: string): string | undefined {
  return /^server\/src\/modules\/([^/]+\/[^/]+)\//.exec(path)?.[1];
}

export function isModuleIndex(path: string): boolean {
  return /^server\/src\/modules\/[^/]+\/[^/]+\/index\.ts$/.test(path);
}

/** Where a module is wired: only other module.ts files and the composition root can import it. */
export function isModuleFile(path: string): boolean {
  return /^server\/src\/modules\/[^/]+\/[^/]+\/module\.ts$/.test(path);
}

/**
 * The order of areas: each can import those before it. A listed feature has its own position, before the rest of its
 * area.
 */
export const MODULE_ORDER = [
  'events/journal',
  'tokens/grants',
  'oauth/resources',
  'identity/users',
  'identity/roles',
  'branding',
  'events',
  'authentication/attempts',
  'authentication/proofs',
  'tokens',
  'machines',
  'identity/workspaces',
  'identity/invitations',
  'authentication',
  'identity',
  'access',
  'oauth',
  'pages',
  'operations',
];

/** The position of a feature (`tokens/sessions`) in MODULE_ORDER; -1 for an area that is not listed. */
export function positionOf(feature: string): number {
  const position = MODULE_ORDER.indexOf(feature);
  return position >= 0 ? position : MODULE_ORDER.indexOf(feature.replace(/\/.*/, ''));
}

/** Packages that reach a database. */
export const DATABASE_PACKAGES = ['kysely', 'pg', '@electric-sql/pglite'];

export function mayReachDatabase(path: string): boolean {
  return (
    zoneOf(path) === 'support' ||
    path.startsWith('server/src/platform/db/') ||
    path === 'server/src/tenancy/gate.ts' ||
    /^server\/src\/(.+\/)?([a-z-]+-)?store\.ts$/.test(path)
  );
}
