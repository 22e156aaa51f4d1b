// The test in `npm test` that covers once what a deep test repeats: over a guide as printed, a whole build or an
// installed package. A guarantee covered only by a deep test would remain untested until the deep test runs in CI.

export const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  'cli/src/embedded': ['cli/src/tenant-transfer'],
  'tests/costs/allocations': ['tests/costs/hot-routes'],
  'tests/costs/ratios': ['tests/costs/hot-routes', 'bench/gate/attempts'],
  'tests/e2e/adding-an-endpoint': ['contract/src/routes', 'tests/isolation/matrix'],
  'tests/e2e/branding-guide': ['tests/pages/brand'],
  'tests/e2e/build': ['tests/e2e/build', 'server/src/platform/db/prepared-database'],
  'tests/e2e/devices-guide': ['server/src/modules/oauth/grants/device-grants'],
  'tests/e2e/every-guide': ['tools/check/documents', 'tests/conformance/openapi'],
  'tests/e2e/fapi-guide': ['tests/conformance/fapi2-security-profile'],
  'tests/e2e/identity-assertions-guide': [
    'server/src/modules/oauth/token-endpoint/identity-assertions',
  ],
  'tests/e2e/invite-people-guide': ['server/src/modules/identity/invitations/invitations'],
  'tests/e2e/languages-guide': ['server/src/modules/events/messages/languages'],
  'tests/e2e/log-in-with-google-guide': ['tests/conformance/upstream-provider'],
  'tests/e2e/login-guides': ['tests/e2e/login-examples'],
  'tests/e2e/machine-guides': ['server/src/modules/machines/agents/api-key-bearer'],
  'tests/e2e/mail-guides': ['server/src/modules/events/messages/smtp'],
  'tests/e2e/mcp-guide': ['tests/e2e/mcp-server'],
  'tests/e2e/migrate-guide': ['cli/src/user-import'],
  'tests/e2e/operators-guide': ['cli/src/operations'],
  'tests/e2e/package': ['tests/e2e/first-start', 'sdk/test/package'],
  'tests/e2e/registration-guide': ['tests/conformance/openid-dynamic'],
  'tests/e2e/restore': [
    'cli/src/after-restore',
    'server/src/modules/operations/installation/place-rules',
  ],
  'tests/e2e/rolling-upgrade': ['server/src/platform/db/contract'],
  'tests/e2e/second-factors-guide': ['server/src/modules/identity/factors/factors'],
  'tests/e2e/shared-signals-guide': ['tests/conformance/ssf'],
  'tests/e2e/sms-guide': ['server/src/modules/authentication/mailboxes/sms'],
  'tests/e2e/token-exchange-guide': ['server/src/modules/oauth/token-endpoint/exchanged-tokens'],
  'tests/e2e/webhooks-guide': ['server/src/modules/events/webhooks/delivery'],
  'tests/faults/database-disk': [
    'server/src/tenancy/readiness',
    'server/src/modules/operations/nodes/health',
  ],
  'tests/faults/failover': ['server/src/platform/db/failover'],
  'tests/faults/log-disk': ['tests/faults/log', 'server/src/platform/log'],
};
