import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { isInstalled, writeStamp } from './stamps.mjs';

interface Package {
  readonly version: string;
  readonly optional?: true;
}
type Packages = Readonly<Record<string, Package>>;

/** A folder with a lock file, and an install that npm says holds the given packages. */
function folderWith(t: TestContext, locked: Packages, installed?: Packages): string {
  const dir = mkdtempSync(join(tmpdir(), 'keywright-setup-'));
  t.after(() => rmSync(dir, { recursive: true }));
  mkdirSync(join(dir, 'node_modules'));
  writePackages(join(dir, 'package-lock.json'), locked);
  if (installed) writePackages(join(dir, 'node_modules', '.package-lock.json'), installed);
  return dir;
}

function writePackages(path: string, packages: Packages): void {
  const entries = Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, entry]);
  writeFileSync(path, JSON.stringify({ packages: { '': {}, ...Object.fromEntries(entries) } }));
}

const pg: Packages = { pg: { version: '8.0.0' } };

describe('an install', () => {
  it('An install is current while the lock file is the one that it was made from', (t) => {
    const dir = folderWith(t, pg);
    assert.equal(isInstalled(dir), false);
    writeStamp(dir);
    assert.equal(isInstalled(dir), true);
    writePackages(join(dir, 'package-lock.json'), { pg: { version: '8.0.1' } });
    assert.equal(isInstalled(dir), false);
  });

  it('An install is current, and stamped, when npm installed exactly what the lock file says', (t) => {
    const dir = folderWith(t, pg, pg);
    assert.equal(isInstalled(dir), true);
    assert.match(
      readFileSync(join(dir, 'node_modules', '.keywright-setup'), 'utf8'),
      /[0-9a-f]{64}/,
    );
  });

  it('An install can lack optional packages, which are for other platforms', (t) => {
    const locked: Packages = { ...pg, binding: { version: '1.0.0', optional: true } };
    assert.equal(isInstalled(folderWith(t, locked, pg)), true);
  });

  it('An install is not current when a package is missing, has another version, or is not in the lock file', (t) => {
    const jose: Packages = { jose: { version: '6.0.0' } };
    assert.equal(isInstalled(folderWith(t, { ...pg, ...jose }, pg)), false);
    assert.equal(isInstalled(folderWith(t, pg, { ...pg, ...jose })), false);
    assert.equal(isInstalled(folderWith(t, pg, { pg: { version: '7.0.0' } })), false);
  });

  it('An install is not current when it was made on another platform', (t) => {
    const dir = folderWith(t, pg, pg);
    writeFileSync(join(dir, 'node_modules', '.keywright-setup'), 'plan9-mips 0\n');
    assert.equal(isInstalled(dir), false);
  });
});
