/** Where the private half of a key is kept, which it is sealed for. */
export function sealedPlace(tenantId: string, kid: string): string {
  return `signing_keys/${tenantId}/${kid}/private_key`;
}
