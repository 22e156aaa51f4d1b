import type { trust as english } from '../en/trust.ts';
import type { Translation } from '../format.ts';

export const trust: Translation<typeof english> = {
  // How an agent authenticates
  trust: 'Schlüssel und Aussteller',
  publicKeys: 'Öffentliche Schlüssel',
  publicKeysEmpty:
    'Keine. Mit einem Schlüsselpaar signiert der Agent, was er sendet, und sein Geheimnis bleibt auf seiner Maschine.',
  publicKeyRemoveTitle: 'Öffentlichen Schlüssel {name} entfernen?',
  publicKeyRemoveHint:
    'Was damit signiert ist, wird sofort abgelehnt, ebenso jedes Token des Agenten.',
  issuersTrusted: 'Vertraute Aussteller',
  issuersEmpty:
    'Keine. Ein CI-Job oder Pod kann sich mit einem Token ausweisen, das er schon hat, ohne gespeichertes Geheimnis.',
  audience: 'Empfänger',
  tokenSubject: 'Subjekt',
  claims: 'Claims',
  singleUse: 'Jedes Token einmal',
  issuerRemoveTitle: '{name} nicht mehr vertrauen?',
  issuerRemoveHint:
    'Seine Token weisen den Agenten nicht mehr aus, und jedes Token des Agenten wird sofort abgelehnt.',
  reach: 'Reichweite',
  // Keys
  overlap: 'Wie lange der jetzige Schlüssel gilt',
  overlapNone: 'Er wird sofort widerrufen',
  days: { one: '{count} Tag', other: '{count} Tage' },
  leak: 'Durchgesickerten Schlüssel melden',
  leakHint:
    'Fügen Sie einen Schlüssel ein, der an falscher Stelle gefunden wurde. Gilt er, wird er sofort widerrufen. Er wird hier nicht aufbewahrt.',
  leakKey: 'Der Schlüssel',
  leakReport: 'Melden und widerrufen',
  leakFound: 'Widerrufen. Es war dieser Schlüssel:',
  leakUnknown: 'Gemeldet. Es ist kein gültiger Schlüssel dieses Mandanten.',
};
