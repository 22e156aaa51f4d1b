/** An application of the tenant, with all that belongs to it. */
export function applicationRows(
  tenant_id: string,
  { userId, subject }: { readonly userId: string; readonly subject: Buffer },
  { created_at, expires_at }: { readonly created_at: Date; readonly expires_at: Date },
): [string, Readonly<Record<string, unknown>>][] {
  return [
    [
      'oauth_clients',
      {
        id: `client_${tenant_id}`,
        name: 'Invoices',
        kind: 'web',
        first_party: false,
        token_endpoint_auth_method: 'client_secret_basic',
        redirect_uris: [],
        post_logout_redirect_uris: [],
        grant_types: ['authorization_code'],
        scopes: [],
        id_token_signed_response_alg: 'RS256',
        created_at,
      },
    ],
    [
      'oauth_client_secrets',
      {
        id: `csec_${tenant_id}`,
        client_id: `client_${tenant_id}`,
        secret_hash: Buffer.alloc(32),
        created_at,
      },
    ],
    ['client_brandings', { client_id: `client_${tenant_id}`, images: { icon: '00' } }],
    [
      'client_images',
      {
        client_id: `client_${tenant_id}`,
        kind: 'icon',
        digest: Buffer.alloc(32),
        content_type: 'image/svg+xml',
        image: Buffer.from('<svg/>'),
      },
    ],
    [
      'client_registrations',
      { client_id: `client_${tenant_id}`, token_hash: subject, kept_until: expires_at },
    ],
    [
      'registration_tokens',
      {
        id: `rgt_${tenant_id}`,
        name: 'Partners',
        token_hash: subject,
        uses: 1,
        expires_at,
        created_at,
      },
    ],
    [
      'consents',
      {
        id: `cns_${tenant_id}`,
        user_id: userId,
        client_id: `client_${tenant_id}`,
        scopes: ['openid'],
        created_at,
        updated_at: created_at,
      },
    ],
    [
      'signal_streams',
      {
        id: `stream_${tenant_id}`,
        client_id: `client_${tenant_id}`,
        method: 'poll',
        events_delivered: ['session-revoked'],
        created_at,
      },
    ],
    [
      'signal_deliveries',
      {
        id: `set_${tenant_id}`,
        queue_key: `stream_${tenant_id}`,
        user_id: userId,
        type: 'session-revoked',
        data: {},
        txn: 'txn',
        due_at: created_at,
        expires_at,
        created_at,
      },
    ],
    [
      'pushed_requests',
      {
        id: subject,
        client_id: 'client_isolation',
        parameters: 'scope=openid',
        expires_at,
      },
    ],
    [
      'device_grants',
      {
        id: subject,
        user_code_hash: subject,
        client_id: 'client_isolation',
        scopes: ['openid'],
        targets: [],
        ip_address: '192.0.2.1',
        created_at,
        expires_at,
        interval_seconds: 5,
      },
    ],
  ];
}
