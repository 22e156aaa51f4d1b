import type { installation as english } from '../en/installation.ts';
import type { Translation } from '../format.ts';

export const installation: Translation<typeof english> = {
  installationHint:
    'Ce qui tourne, sur quelle base de données, et ce qui attend, tous locataires confondus.',
  nodes: 'Nœuds',
  nodesHint:
    'Chaque nœud renouvelle son inscription toutes les cinq minutes. Un nœud tombé reste affiché jusqu’à onze minutes.',
  nodesEmpty: 'Aucun nœud ne s’est encore signalé. Chacun le fait au démarrage.',
  node: 'Nœud',
  version: 'Version',
  processes: 'Processus',
  upSince: 'Actif depuis',
  seenAt: 'Dernier signe de vie',
  nodeUp: 'Actif',
  nodeSilent: 'Muet',
  queues: 'Files d’attente',
  queue: 'File d’attente',
  waitingJobs: 'En attente',
  onTime: 'À l’heure',
  lateFrom: 'Dû depuis',
  'queue.webhooks': 'Livraisons de webhooks',
  'queue.messages': 'E-mails et SMS',
  'queue.logouts': 'Déconnexions annoncées aux applications',
  'queue.signals': 'Signaux partagés',
  'queue.exports': 'Exports de données personnelles',
  database: 'Base de données',
  'engine.postgresql': 'PostgreSQL {version}',
  'engine.embedded': 'PostgreSQL {version}, intégré au processus',
  schema: 'Schéma',
  schemaCurrent: 'À jour',
  schemaAhead: 'Migré par une version plus récente',
  migrations: 'Migrations appliquées',
  latestMigration: 'Dernière migration',
  answeredBy: 'Version de ce nœud',
};
