import type { access as english } from '../en/access.ts';
import type { Translation } from '../format.ts';

export const access: Translation<typeof english> = {
  // Explain
  explain: 'Erklären',
  explainHint:
    'Darf jemand etwas tun, und warum? Jedes Glied der Kette wird gezeigt; das ablehnende ist markiert.',
  explainWhom: 'Benutzer oder Agent: eine ID oder E-Mail-Adresse',
  explainAsk: 'Erklären',
  explainAllowed: 'Erlaubt',
  explainRefused: 'Abgelehnt',
  explainNobody: 'Niemand hat diese Adresse.',
  explainOpen: 'Nicht erreicht',
  explainHolds: 'Besteht',
  explainRefuses: 'Lehnt hier ab',
  'link.user': 'Benutzer',
  'link.agent': 'Agent',
  'link.workspace': 'Arbeitsbereich',
  'link.role': 'Rolle',
  'link.nothing': 'Keine Rolle und kein Scope gewährt es',
  'link.scope': 'Berechtigung',
  explainBy: 'durch {scope}',
  explainRemoved: 'Diese Änderung hat sie genommen:',
  // Roles
  matrix: 'Matrix',
  matrixEmpty: 'nichts',
  compare: 'Vergleichen',
  compareFirst: 'Erste Rolle',
  compareSecond: 'Zweite Rolle',
  compareOnly: 'Nur {name}',
  compareBoth: 'Beide',
  whatIf: 'Was sich damit ändert',
  whatIfNobody: 'Noch hat niemand diese Rolle.',
  whatIfCount: {
    one: '{count} Benutzer hat diese Rolle. Seine Token werden abgelehnt; beim Erneuern gibt es neue.',
    other:
      '{count} Benutzer haben diese Rolle. Ihre Token werden abgelehnt; beim Erneuern gibt es neue.',
  },
  whatIfAgents:
    'Agenten haben eigene Scopes und behalten sie. Was Benutzer ihnen delegiert haben, folgt dem, was die Benutzer haben.',
  gains: 'Gewinnt',
  loses: 'Verliert',
  // Bulk actions on users
  select: '{name} auswählen',
  selected: { one: '{count} ausgewählt', other: '{count} ausgewählt' },
  selectPage: 'Diese Seite auswählen',
  clearSelection: 'Auswahl aufheben',
  giveRole: 'Rolle geben',
  bulkTitle: { one: '{verb}: {count} Benutzer', other: '{verb}: {count} Benutzer' },
  bulkDependents: 'Was mit ihnen endet, zusammengezählt:',
  bulkProgress: '{done} von {count}',
  bulkDone: { one: 'Erledigt: {count} Benutzer.', other: 'Erledigt: {count} Benutzer.' },
  bulkFailed: {
    one: '{count} ist gescheitert und bleibt ausgewählt:',
    other: '{count} sind gescheitert und bleiben ausgewählt:',
  },
  columnsShown: 'Spalten',
  // A user
  consents: 'Verbundene Apps',
  consentsEmpty: 'Keiner Anwendung ist etwas erlaubt.',
  application: 'Anwendung',
  consentEnd: 'Trennen',
  consentEndTitle: '{name} trennen?',
  consentEndHint: 'Seine Sitzungen für diesen Benutzer enden sofort, und es muss neu fragen.',
  consentEnded: '{name} getrennt.',
  delegationsEmpty: 'Keine laufenden Delegierungen.',
  recoverSend: 'Link zur Wiederherstellung senden',
  recoverTitle: '{name} einen Link zur Wiederherstellung senden?',
  recoverHint:
    'Er geht an die erste bestätigte Adresse. Damit wird ein neues Passwort gesetzt, nach dem zweiten Faktor, falls es einen gibt. Vorher ändert sich nichts.',
  recoverSent: 'An {address} gesendet.',
};
