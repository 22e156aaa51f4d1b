import type { tokens as english } from '../en/tokens.ts';
import type { Translation } from '../format.ts';

export const tokens: Translation<typeof english> = {
  'group.claims': 'Eigene Claims',
  tokenPreview: 'Vorschau der Token',
  tokenPreviewHint:
    'Was die Token eines Benutzers sagen würden, mit den Claims von oben, wie sie jetzt dastehen, gespeichert oder nicht. Niemand wird angemeldet, und kein Token entsteht.',
  tokenPreviewShow: 'Anzeigen',
  tokenPreviewDirect: 'Keine: direkte Anmeldung',
  tokenAccess: 'Access-Token',
  tokenId: 'ID-Token',
  claim: 'Claim',
  claimValue: 'Wert',
  claimFrom: 'Woher',
  claimOutcome: 'Ergebnis',
  claimHidden: 'kennt nur diese Anwendung',
  'claim.added': 'Im Access-Token',
  'claim.no_value': 'Fehlt: kein Wert',
  'claim.refused': 'Abgelehnt',
  'origin.service': 'Dienst',
  'origin.login': 'jede Anmeldung, hier ein Beispiel',
  'origin.identifier': 'Adresse des Benutzers',
  'origin.metadata': 'Metadaten, von Administratoren geschrieben',
  'origin.user_metadata': 'Benutzer-Metadaten, vom Benutzer geschrieben',
  'origin.constant': 'diese Einstellungen',
};
