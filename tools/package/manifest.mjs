import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PREPARED_DATABASE } from '../setup/prepared-database.mjs';

/**
 * Returns the package.json of the npm package: the version of the command line, and the dependencies of the service.
 * @param {string} root of the clone
 */
export function describePackage(root) {
  const read = (/** @type {string} */ path) =>
    JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
  const [{ version, license }, { dependencies }, { dependencies: ofContract }] = [
    'cli',
    'server',
    'contract',
  ].map(read);
  const { '@keywright/contract': _contract, ...others } = dependencies;
  return {
    name: 'keywright',
    version,
    description: 'Multi-tenant identity and access service, self-hosted: npx keywright serve.',
    license,
    keywords: ['identity', 'authentication', 'authorization', 'multi-tenant', 'jwt', 'iam'],
    type: 'module',
    bin: { keywright: 'dist/keywright.mjs' },
    imports: { '#server/*': './dist/*.mjs' },
    files: [
      'dist',
      'cli/package.json',
      'deploy/health.mjs',
      PREPARED_DATABASE,
      'server/fonts',
      'server/migrations',
      'server/sql',
      'site/dist',
      'ui/console/dist',
      'npm-shrinkwrap.json',
    ],
    dependencies: { ...others, ...ofContract },
    engines: { node: '>=24' },
  };
}
