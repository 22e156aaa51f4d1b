import { readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const BASE = '/docs';
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};
/** As strict as the site allows: no inline code, and WebAssembly for the search. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves a built site on this machine. @param port 0 for any that is free */
export async function serveSite(
  dist: string,
  port: number,
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const [pathname = ''] = (request.url ?? '').split('?', 1);
    if (pathname !== BASE && !pathname.startsWith(`${BASE}/`)) {
      response.writeHead(302, { location: `${BASE}/` }).end();
      return;
    }
    void find(dist, decoded(pathname.slice(BASE.length + 1))).then((file) => {
      const headers = { 'content-type': typeOf(file.path), 'content-security-policy': POLICY };
      response.writeHead(file.status, headers).end(file.content);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return { url: `http://localhost:${bound}${BASE}/`, server };
}

/** The file of a path: as named, or the page of that name. */
async function find(dist: string, path: string) {
  const name = normalize(`/${path}`);
  const candidates = path === '' ? ['/index.html'] : [name, `${name}.html`];
  for (const candidate of candidates) {
    const place = join(dist, candidate);
    const isFile = await stat(place).then(
      (found) => found.isFile(),
      () => false,
    );
    if (isFile) return { status: 200, path: place, content: await readFile(place) };
  }
  const page = join(dist, '404.html');
  return { status: 404, path: page, content: await readFile(page) };
}

/** A path that cannot be decoded names no file. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function typeOf(path: string): string {
  return TYPES[extname(path)] ?? 'application/octet-stream';
}
