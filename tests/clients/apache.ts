import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { account } from '../harness/account.ts';

/** Debian's paths of the program and its modules. */
export const APACHE = '/usr/sbin/apache2';
const MODULES = '/usr/lib/apache2/modules';
const LOADED = [
  'mpm_event',
  'authn_core',
  'authz_core',
  'authz_user',
  'proxy',
  'proxy_http',
  'auth_openidc',
];

/** Writes Debian's server configuration for a server with `site.conf`. */
export async function apacheConfiguration(folder: string, port: string): Promise<void> {
  await mkdir(join(folder, 'logs'));
  const lines = [
    `Listen 127.0.0.1:${port}`,
    ...LOADED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
    // As root, Apache drops its privileges.
    ...(account ? [`User #${account.uid}`, `Group #${account.gid}`] : []),
    `ServerName localhost:${port}`,
    'PidFile logs/httpd.pid',
    'ErrorLog "|/bin/cat"',
    'LogLevel warn auth_openidc:info',
    'Include site.conf',
  ];
  await writeFile(join(folder, 'httpd.conf'), `${lines.join('\n')}\n`);
}
