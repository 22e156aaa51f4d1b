import { textsOf } from './text.ts';

export const DE = textsOf({
  enterToLogIn: 'Geben Sie diesen Code dort ein, wo Sie sich anmelden:',
  orOpenToLogIn: 'Oder öffnen Sie diesen Link in dem Browser, mit dem Sie sich anmelden:',
  enterToVerify: 'Geben Sie diesen Code ein, um {{identifier}} zu bestätigen:',
  orOpen: 'Oder öffnen Sie diesen Link in dem Browser, in dem Sie begonnen haben:',
  enterToRecover: 'Geben Sie diesen Code ein, um Ihr Konto wiederherzustellen:',
  validFor: 'Gültig für {{minutes}} Minuten.',
  ignore:
    'Wenn Sie das nicht angefordert haben, können Sie diese Nachricht ignorieren. Geben Sie den Code niemals weiter.',
  help: 'Fragen? Schreiben Sie an {{support_email}}.',
  time: 'Zeitpunkt: {{time}}',
  device: 'Gerät: {{device}}',
  notYou:
    'Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort und prüfen Sie Ihre zweiten Faktoren.',
  openToUndo:
    'Wenn Sie das nicht waren, öffnen Sie diesen Link, um die Änderung rückgängig zu machen:',
  sendToUndo:
    'Wenn Sie das nicht waren, macht dieser geheime Code die Änderung 7 Tage lang rückgängig:',
  invitation: {
    subject: 'Einladung zu {{company}}',
    what: 'Sie sind zu {{company}} eingeladen.',
    open: 'Öffnen Sie diesen Link, um die Einladung anzunehmen:',
    enter: 'Geben Sie diesen geheimen Code ein, um die Einladung anzunehmen:',
    validUntil: 'Gültig bis {{valid_until}}.',
    ignore:
      'Wenn Sie keine Einladung erwarten, können Sie diese Nachricht ignorieren. Geben Sie den Link und den Code niemals weiter.',
  },
  subjects: {
    login: 'Anmeldung bei {{company}}',
    verification: 'Bestätigen Sie Ihre Adresse bei {{company}}',
    recovery: 'Wiederherstellung Ihres Kontos bei {{company}}',
  },
  sms: {
    login: '{{code}} ist Ihr Code zur Anmeldung bei {{company}}. Geben Sie ihn niemals weiter.',
    verification:
      '{{code}} ist Ihr Code, um diese Nummer bei {{company}} zu bestätigen. Geben Sie ihn niemals weiter.',
  },
  notices: {
    'notice.new_device': [
      'Neue Anmeldung bei {{company}}',
      'Bei Ihrem Konto hat sich ein neues Gerät angemeldet.',
    ],
    'notice.factor_added': [
      'Zweiter Faktor bei {{company}} hinzugefügt',
      'Ihrem Konto wurde ein zweiter Faktor hinzugefügt.',
    ],
    'notice.factor_removed': [
      'Zweiter Faktor bei {{company}} entfernt',
      'Von Ihrem Konto wurde ein zweiter Faktor entfernt.',
    ],
    'notice.password_changed': [
      'Passwort bei {{company}} geändert',
      'Das Passwort Ihres Kontos wurde geändert.',
    ],
    'notice.password_breached': [
      'Neues Passwort bei {{company}} nötig',
      'Das Passwort Ihres Kontos ist aus einem Datenleck bei einem anderen Dienst bekannt. Wählen Sie ein neues.',
    ],
    'notice.identifier_added': [
      'Adresse bei {{company}} hinzugefügt',
      'Ihrem Konto wurde eine Adresse hinzugefügt: {{changed}}',
    ],
    'notice.identifier_removed': [
      'Adresse bei {{company}} entfernt',
      'Von Ihrem Konto wurde eine Adresse entfernt: {{changed}}',
    ],
    'notice.identifier_primary': [
      'Hauptadresse bei {{company}} geändert',
      'Die Hauptadresse Ihres Kontos ist jetzt {{changed}}.',
    ],
    'notice.identifiers_restored': [
      'Adressen bei {{company}} wiederhergestellt',
      'Eine Änderung der Adressen Ihres Kontos wurde rückgängig gemacht, und Sie wurden überall abgemeldet.',
    ],
    'notice.recovery_begun': [
      'Wiederherstellung des Kontos bei {{company}} begonnen',
      'Jemand hat begonnen, Ihr Konto wiederherzustellen. Bisher wurde nichts geändert.',
    ],
    'notice.second_factor_refused': [
      'Anmeldung bei {{company}} abgelehnt',
      'Jemand hat das richtige Passwort oder den richtigen Code für Ihr Konto angegeben, aber nicht den zweiten Faktor. Die Anmeldung wurde abgelehnt.',
    ],
    'notice.identity_linked': [
      'Neue Anmeldeart bei {{company}}',
      'Mit einem Konto bei {{changed}} kann man sich nun bei {{company}} anmelden.',
    ],
    'notice.identity_unlinked': [
      'Anmeldeart bei {{company}} entfernt',
      'Mit einem Konto bei {{changed}} kann man sich nicht mehr bei {{company}} anmelden.',
    ],
    'notice.account_deleted': [
      'Ihr Konto bei {{company}} wurde gelöscht',
      'Ihr Konto bei {{company}} wurde gelöscht. Niemand kann sich mehr damit anmelden.',
    ],
    'notice.account_reclaimed': [
      'Ihr Konto bei {{company}}',
      'Der Inhaber von {{changed}} hat diese Adresse bestätigt. Sie gehört nun zu seinem Konto, und der Zugriff anderer darauf wurde beendet.',
    ],
  },
});
