/** Matches a scope. RFC 6749 §3.3: neither spaces nor quotes, so that it fits into a header. */
const SCOPE_NAME = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

export function isScopeName(scope: string): boolean {
  return SCOPE_NAME.test(scope);
}

/** @throws TypeError for an invalid scope */
export function requireScopeNames(option: string, scopes: readonly string[]): void {
  const wrong = scopes.find((scope) => !isScopeName(scope));
  if (wrong === undefined) return;
  throw new TypeError(`Expected ${option} to be scopes, got ${JSON.stringify(wrong)}.`);
}
