const SHARED = /\/(common|organizations|consumers)(?=\/|$)/;
const TENANT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Claims = Readonly<Record<string, unknown>>;

/** Whether users of any directory can log in there. */
export function isSharedDirectory(issuer: string): boolean {
  return SHARED.test(issuer);
}

/** What the metadata of such an issuer names, in place of an issuer. */
export function issuerTemplate(issuer: string): string {
  return issuer.replace(SHARED, '/{tenantid}');
}

/**
 * The issuer of a token: that of the user's directory, which has to be an allowed one.
 * @returns undefined for another directory
 */
export function issuerOfDirectory(
  { issuer, allowed_tenants: allowed }: { issuer: string; allowed_tenants: readonly string[] },
  { tid }: Claims,
): string | undefined {
  const isKnown = typeof tid === 'string' && TENANT_ID.test(tid);
  const isAllowed = isKnown && (allowed.length === 0 || allowed.includes(tid));
  if (!isAllowed || (isSharedDirectory(issuer) && allowed.length === 0)) return undefined;
  return isSharedDirectory(issuer) ? issuer.replace(SHARED, `/${tid}`) : issuer;
}

/** `sub` differs between applications; `oid` is the user in every one of them, within a directory. */
export function directorySubject({ tid, oid }: Claims): string | undefined {
  return typeof tid === 'string' && typeof oid === 'string' && oid !== '' && oid.length <= 64
    ? `${tid}.${oid}`
    : undefined;
}

/** Administrators of a directory can give users any address. */
export function ownsDomain({ xms_edov: claim }: Claims): boolean {
  return claim === true || claim === 'true' || claim === 1 || claim === '1';
}
