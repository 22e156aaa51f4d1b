import type { tenant as english } from '../en/tenant.ts';
import type { Translation } from '../format.ts';

export const tenant: Translation<typeof english> = {
  // Audit
  action: 'Aktion',
  outcome: 'Ergebnis',
  'outcome.success': 'Erfolg',
  'outcome.failure': 'Fehlschlag',
  'outcome.denied': 'Verweigert',
  actor: 'Wer',
  onBehalfOf: 'für',
  target: 'Woran',
  when: 'Wann',
  auditEmpty: 'Noch nichts.',
  ipAddress: 'Adresse',
  chainPosition: 'Platz in der Kette',
  notSealed: 'wird in Sekunden versiegelt',
  hash: 'Hash',
  around: 'Alles um diesen Zeitpunkt',
  auditHint:
    'Jeder Eintrag wird in eine Kette versiegelt: Keiner lässt sich unbemerkt ändern oder auslassen.',
  from: 'Von',
  to: 'Bis',
  export: 'Exportieren',
  exporting: 'Wird exportiert …',

  // Settings
  'group.logins': 'Anmeldung',
  'group.passwords': 'Passwörter',
  'group.oauth': 'OAuth',
  'group.limits': 'Grenzwerte',
  'group.others': 'Weitere',
  branding: 'Erscheinungsbild',
  issuer: 'Aussteller',
  domains: 'Domains',

  // Overview
  overviewNothing:
    'Ihre Rollen lassen Sie hier nichts von diesem Mandanten lesen. Ein Administrator kann Ihnen andere geben.',
  inNumbers: 'In Zahlen',
  liveSessions: 'Laufende Sitzungen',
  setUp: 'Einzurichten',
  stepDone: 'Erledigt',
  stepOpen: 'Offen',
  'step.mail': 'Ein Mailserver, damit Links und Codes die Benutzer erreichen',
  'step.domain': 'Eine eigene Domain',
  'step.branding': 'Der Name und die Farben Ihrer Seiten',
  'step.client': 'Eine erste Anwendung, in der sich Benutzer anmelden',
  'step.administrator': 'Eine zweite Administratorin oder ein zweiter Administrator',
  welcome: 'Willkommen',
  welcomeLead:
    'Sie sind als {name} angemeldet. Ein solcher Link gilt nur einmal: Mit einem Passkey brauchen Sie weder ihn noch das ausgegebene Passwort wieder.',
  passkeyCreate: 'Passkey anlegen',
  notNow: 'Nicht jetzt',
  passkeyAdded: 'Passkey hinzugefügt. Ab jetzt melden Sie sich damit an.',
  recoveryCodes: 'Ihre Wiederherstellungscodes',
  passkeyFailed:
    'Dieser Browser hat keinen Passkey angelegt. Versuchen Sie es noch einmal, oder später in Ihrem Konto.',
  recent: 'Letzte Änderungen',
};
