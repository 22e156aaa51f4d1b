/** The address of a link in a message. */
export function linkOf(issuer: string, linkToken: string): string {
  return `${issuer}/l/${linkToken}`;
}
