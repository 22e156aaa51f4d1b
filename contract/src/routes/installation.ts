import { InstallationRecord } from '../records/installation.ts';
import { API_BASE, route } from '../route.ts';

export const getInstallation = route({
  id: 'installation.get',
  method: 'GET',
  path: `${API_BASE}/installation`,
  access: 'system',
  summary: 'Get the state of the installation',
  description:
    'Returns the nodes, the database and the queues of the installation, across all tenants.',
  ok: { status: 200, body: InstallationRecord },
  errors: [],
});
