/** The rows of a resource, and of what a user allowed there. */
export function resourceRows(
  tenantId: string,
  created_at: Date,
): [string, Readonly<Record<string, unknown>>][] {
  const id = `res_${tenantId}`;
  const resource = { id, uri: 'https://files.example.com', name: 'Files', scopes: '[]' };
  const signing = { access_token_signing_alg: 'EdDSA', served_by: [] };
  return [
    ['oauth_resources', { ...resource, ...signing, created_at }],
    [
      'consent_resources',
      { consent_id: `cns_${tenantId}`, resource_id: id, scopes: ['files:share'] },
    ],
  ];
}
