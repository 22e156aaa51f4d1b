// Next.js runs this once, when the server starts.

const NEEDED = [
  'AUTH_KEYWRIGHT_ISSUER',
  'AUTH_KEYWRIGHT_ID',
  'AUTH_KEYWRIGHT_SECRET',
  'AUTH_SECRET',
  'AUTH_URL',
];

export function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const missing = NEEDED.filter((name) => !process.env[name]);
  if (missing.length === 0) return;
  console.error(
    `Set ${missing.join(', ')} first: docs/guide/add-login.md shows how to register the application.`,
  );
  process.exit(1);
}
