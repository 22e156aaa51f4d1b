import type { machines as english } from '../en/machines.ts';
import type { Translation } from '../format.ts';

export const machines: Translation<typeof english> = {
  // Agents
  agentsEmpty: 'Ein Agent ist ein Programm mit eigenen Berechtigungen.',
  workspace: 'Arbeitsbereich',
  owner: 'Besitzer',

  // Agents and their keys
  agent: 'Agent',
  agentCreate: 'Agent erstellen',
  enableAgentHint: 'Seine Schlüssel, die nicht abgelaufen sind, gelten wieder.',
  disableAgentHint: 'Weder seine Schlüssel noch seine Token gelten, bis er entsperrt wird:',
  deleteAgentHint:
    'Seine Schlüssel und die Delegierungen an ihn werden mit ihm gelöscht. Das lässt sich nicht rückgängig machen.',
  apiKeyCreate: 'API-Schlüssel erstellen',
  apiKeysEmpty:
    'Noch keine Schlüssel. Ein Schlüssel ist ein Geheimnis, mit dem der Agent die API aufruft.',
  allOfAgent: 'alle des Agenten',
  addresses: 'Adressen',
  rotateKeyHint: 'Ein neuer Schlüssel wird erstellt und einmal gezeigt.',
  revokeKeyHint:
    'Er wird ab der nächsten Anfrage abgelehnt. Dienste, die selbst prüfen, erfahren es in Sekunden.',

  // Signing keys
  signingKeysHint: 'Sie signieren die Token, die jeder Dienst selbst prüft.',
  algorithm: 'Algorithmus',
  signsFrom: 'Signiert ab',
  'key.next': 'Nächster',
  'key.current': 'Signiert',
  'key.previous': 'Vorheriger',
  'key.retired': 'Ausgemustert',
  rotateSigningHint:
    'Ein neuer Schlüssel wird jetzt veröffentlicht und signiert, sobald ihn alle prüfenden Dienste kennen.',
  rotateNow: 'Sofort rotieren',
  rotateNowTitle: '{name} sofort rotieren?',
  rotateNowHint:
    'Für einen kompromittierten Schlüssel. Der neue signiert sofort: Dienste mit einer älteren Kopie der Schlüssel lehnen seine Token ab, bis sie sie erneut abrufen.',
  retire: 'Ausmustern',
  retireTitle: 'Diesen Schlüssel ausmustern?',
  retireHint:
    'Alle Token, die er signiert hat, werden ab jetzt abgelehnt, und sein privater Schlüssel wird vernichtet. Sitzungen laufen durch Erneuern weiter.',
  retired: 'Schlüssel ausgemustert.',

  // OAuth clients
  clientCreate: 'Client registrieren',
  clientsEmpty: 'Ein Client ist eine Anwendung, in der sich Benutzer anmelden.',
  'group.security': 'Sicherheit und Token',
  'group.about': 'Für Benutzer sichtbar',
  redirectUris: 'Redirect-URIs',
  'client.web': 'Web, auf einem Server',
  'client.spa': 'Im Browser',
  'client.native': 'Auf einem Gerät',
  secrets: 'Geheimnisse',
  secretsEmpty: 'Er hat kein Geheimnis.',
  secretCreate: 'Geheimnis erzeugen',
  secretCreateTitle: 'Ein weiteres Geheimnis erzeugen?',
  secretCreateHint: 'Für eine Rotation: Beide gelten, bis eines gelöscht wird.',
  secretCreated: 'Geheimnis erzeugt.',
  secretDeleteTitle: 'Dieses Geheimnis löschen?',
  secretDeleteHint: 'Es wird ab der nächsten Anfrage abgelehnt.',
  secretDeleted: 'Geheimnis gelöscht.',
  deleteClientHint:
    'Seine Geheimnisse und die Einwilligungen der Benutzer werden mit ihm gelöscht, und seine Sitzungen enden. Das lässt sich nicht rückgängig machen.',

  // Webhooks
  webhookCreate: 'Webhook registrieren',
  webhooksEmpty: 'Ein Webhook ist eine Adresse, an die Ereignisse gesendet werden.',
  address: 'Adresse',
  events: 'Ereignisse',
  event: 'Ereignis',
  failing: 'Schlägt fehl',
  failingSince: 'Schlägt fehl seit',
  disabledByService: 'Vom Dienst abgeschaltet',
  disabledReason: 'Warum der Dienst ihn abgeschaltet hat',
  overlapEnds: 'Das vorherige Geheimnis gilt bis',
  deliveries: 'Zustellungen',
  deliveriesEmpty: 'Noch wurde nichts gesendet.',
  'delivery.pending': 'Ausstehend',
  'delivery.delivered': 'Zugestellt',
  'delivery.failed': 'Fehlgeschlagen',
  attempts: 'Versuche',
  answer: 'Antwort',
  lastAttempt: 'Letzter Versuch',
  attempt: 'Versuch',
  tookMs: '{ms} ms',
  nextAttempt: 'Nächster Versuch',
  webhookTest: 'Test senden',
  webhookTestTitle: 'Ein Testereignis senden?',
  webhookTestHint:
    'Ein Ereignis webhook.test wird nur an diese Adresse gesendet. Seine Zustellung zeigt das Ergebnis.',
  webhookTested: 'Testereignis eingereiht.',
  webhookRotate: 'Geheimnis rotieren',
  webhookRotateHint:
    'Ein neues Geheimnis wird erzeugt und einmal gezeigt. Beide unterschreiben, bis das bisherige endet.',
  deleteWebhookHint:
    'Es wird nichts mehr an ihn gesendet, und seine Zustellungen sind nicht mehr lesbar.',
  sendAgain: 'Erneut senden',
  sendAgainTitle: 'Dieses Ereignis erneut senden?',
  sendAgainHint: 'Es beginnt mit dem ersten Versuch von vorn, was immer das Ergebnis war.',
  sentAgain: 'Ereignis eingereiht.',
  replayAfter: 'Ab hier wiederholen',
  replayTitle: 'Alles nach diesem Ereignis erneut senden?',
  replayHint:
    'Bis zu 1.000 Ereignisse, die der Webhook abonniert, werden der Reihe nach erneut gesendet.',
  replayed: { one: '{count} Ereignis eingereiht.', other: '{count} Ereignisse eingereiht.' },
  replayMore: 'Es gibt weitere: Wiederholen Sie ab dem letzten davon.',
};
