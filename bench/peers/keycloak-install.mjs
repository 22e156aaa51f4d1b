// Keycloak's distribution from Maven Central, built for PostgreSQL and a single node.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const VERSION = '26.5.0';
const CACHE = fileURLToPath(new URL('.keywright/', import.meta.url));
const FOLDER = `${CACHE}keycloak-${VERSION}`;
const PARTIAL = `${CACHE}partial`;

/** Downloads Keycloak the first time. Ends the process if a tool is missing. @returns its folder */
export function installKeycloak() {
  requireTool('java', '-version');
  if (existsSync(FOLDER)) return FOLDER;
  requireTool('mvn', '-version');
  rmSync(PARTIAL, { recursive: true, force: true });
  mkdirSync(PARTIAL, { recursive: true });
  run('mvn', [
    '-B',
    '-q',
    'dependency:unpack',
    `-Dartifact=org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`,
    `-DoutputDirectory=${PARTIAL}`,
  ]);
  const unpacked = `${PARTIAL}/keycloak-${VERSION}`;
  run('bash', [`${unpacked}/bin/kc.sh`, 'build', '--db=postgres', '--cache=local']);
  renameSync(unpacked, FOLDER);
  rmSync(PARTIAL, { recursive: true, force: true });
  return FOLDER;
}

function requireTool(name, argument) {
  try {
    execFileSync(name, [argument], { stdio: 'ignore' });
  } catch {
    console.error(`Keycloak needs ${name}: install Java 17 or later, and Apache Maven.`);
    process.exit(1);
  }
}

function run(command, args) {
  // Maven creates a working folder in its current directory.
  execFileSync(command, args, { stdio: ['ignore', 2, 2], cwd: PARTIAL });
}
