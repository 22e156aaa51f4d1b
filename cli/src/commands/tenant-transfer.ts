import { type ParsedOptions, type Input, operation, UsageError } from '../command.ts';
import { plain } from '../layout.ts';
import { readSecret } from '../secret-input.ts';

interface Transferred {
  readonly id: string;
  readonly rows: number;
  readonly file: string;
}

const PASSPHRASE = {
  'passphrase-stdin': { help: 'read the passphrase from standard input; required' },
} as const;

export const tenantExport = operation<Transferred>({
  name: 'tenant export',
  summary: 'export a tenant to an encrypted file',
  details:
    'Exports users with their passwords and second factors, sessions, keys, settings, webhooks and the ' +
    'audit log, for another installation of the same version. The file is a snapshot: deactivate the ' +
    'tenant first, so that nothing changes after the export. The passphrase has at least 16 characters. The ' +
    'file and the passphrase together reveal every secret of the tenant.',
  options: {
    tenant: { value: 'ID', help: 'such as org_acme', isRequired: true },
    file: { value: 'FILE', help: 'path of the file to create', isRequired: true },
    ...PASSPHRASE,
  },
  examples: [
    'keywright tenant export --tenant org_acme --file acme.export --passphrase-stdin < passphrase.txt',
  ],
  parameters: async (options, input) => ({
    ...options.field('tenant', 'tenant'),
    ...(await fileAndPassphrase(options, input)),
  }),
  render: ({ id, rows, file }) => `Exported ${id} to ${plain(file)}: ${rows} rows.`,
});

export const tenantImport = operation<Transferred>({
  name: 'tenant import',
  summary: 'create a tenant from an exported file',
  details:
    'The tenant keeps its ID and its issuer, so that its tokens remain valid. Do not serve it from both ' +
    'installations at the same time. Its data key is wrapped with the master key of this installation. ' +
    'Fails if this installation has, or had, a tenant with this ID.',
  options: {
    file: { value: 'FILE', help: 'path of the exported file', isRequired: true },
    ...PASSPHRASE,
  },
  examples: ['keywright tenant import --file acme.export --passphrase-stdin < passphrase.txt'],
  parameters: fileAndPassphrase,
  render: ({ id, rows }) => `Imported ${id}: ${rows} rows.`,
});

async function fileAndPassphrase(options: ParsedOptions, input: Input) {
  if (!options.has('passphrase-stdin')) throw new UsageError('--passphrase-stdin is required.');
  const passphrase = await readSecret('passphrase-stdin', input);
  return { ...options.field('file', 'file'), passphrase };
}
