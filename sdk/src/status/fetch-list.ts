import type { Issuer } from '../verifier/issuer.ts';
import { ProblemError } from '../verifier/problem.ts';
import { statusPath } from '../verifier/status-reference.ts';
import type { Author } from './statement.ts';
import { readStatusList, type StatusList } from './status-list.ts';

const MAX_BYTES = 256 * 1024;
const UNKNOWN = 404;

/** The issuer's response to a request for a list. */
export type FetchedList =
  | { readonly kind: 'list'; readonly list: StatusList; readonly etag: string | undefined }
  /** The caller's list is current. */
  | { readonly kind: 'unchanged' }
  /** The issuer has no such list. */
  | { readonly kind: 'unknown' };

/**
 * Fetches a list.
 *
 * @param etag the ETag of the caller's list; without it, caches are bypassed
 * @throws ProblemError
 */
export async function fetchList(
  issuer: Issuer,
  author: Author,
  shard: number,
  etag: string | undefined,
): Promise<FetchedList> {
  const path = statusPath(shard);
  const accept = 'application/statuslist+jwt';
  const condition: Readonly<Record<string, string>> =
    etag === undefined ? { 'cache-control': 'no-cache' } : { 'if-none-match': etag };
  const { status, headers, bytes } = await issuer.read(path, {
    headers: { accept, ...condition },
    maxBytes: MAX_BYTES,
    tooLarge: 'STATUS_TOO_LARGE',
  });
  if (status === 304 && etag !== undefined) return { kind: 'unchanged' };
  if (status === UNKNOWN) return { kind: 'unknown' };
  if (status !== 200) {
    throw new ProblemError('STATUS_UNAVAILABLE', `The request for the list returned ${status}.`);
  }
  const jws = new TextDecoder().decode(bytes).trim();
  const list = await readStatusList(jws, `${issuer.name}${path}`, author);
  return { kind: 'list', list, etag: headers.get('etag') ?? undefined };
}
