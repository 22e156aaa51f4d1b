import type { MAIL as English } from '../en/mail.ts';
import type { Translated } from '../keys.ts';

export const MAIL: Translated<typeof English> = {
  'mail.login.subject': 'Anmeldung bei {company}',
  'mail.verification.subject': 'Bestätigen Sie Ihre Adresse bei {company}',
  'mail.recovery.subject': 'Wiederherstellung Ihres Kontos bei {company}',
  'mail.enter_to_log_in': 'Geben Sie diesen Code dort ein, wo Sie sich anmelden:',
  'mail.open_to_log_in': 'Oder öffnen Sie diesen Link in dem Browser, mit dem Sie sich anmelden:',
  'mail.enter_to_verify': 'Geben Sie diesen Code ein, um {identifier} zu bestätigen:',
  'mail.enter_to_recover': 'Geben Sie diesen Code ein, um Ihr Konto wiederherzustellen:',
  'mail.open': 'Oder öffnen Sie diesen Link in dem Browser, in dem Sie begonnen haben:',
  'mail.valid_for': 'Gültig für {duration}.',
  'mail.duration': '{minutes, plural, one {# Minute} other {# Minuten}}',
  'mail.ignore':
    'Wenn Sie das nicht angefordert haben, können Sie diese Nachricht ignorieren. Geben Sie den Code niemals weiter.',
  'mail.help': 'Fragen? Schreiben Sie an {support_email}.',
  'mail.time': 'Zeitpunkt: {time}',
  'mail.device': 'Gerät: {device}',
  'mail.not_you':
    'Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort und prüfen Sie Ihre zweiten Faktoren.',
  'mail.open_to_undo':
    'Wenn Sie das nicht waren, öffnen Sie diesen Link, um die Änderung rückgängig zu machen:',

  'mail.invitation.subject': 'Einladung zu {company}',
  'mail.invitation.what': 'Sie sind zu {company} eingeladen.',
  'mail.invitation.open': 'Öffnen Sie diesen Link, um die Einladung anzunehmen:',
  'mail.invitation.valid_until': 'Gültig bis {valid_until}.',
  'mail.invitation.ignore':
    'Wenn Sie keine Einladung erwarten, können Sie diese Nachricht ignorieren. Geben Sie den Link und den Code niemals weiter.',

  'sms.login': '{code} ist Ihr Code zur Anmeldung bei {company}. Geben Sie ihn niemals weiter.',
  'sms.verification':
    '{code} ist Ihr Code, um diese Nummer bei {company} zu bestätigen. Geben Sie ihn niemals weiter.',

  'notice.new_device.subject': 'Neue Anmeldung bei {company}',
  'notice.new_device.text': 'Bei Ihrem Konto hat sich ein neues Gerät angemeldet.',
  'notice.factor_added.subject': 'Zweiter Faktor bei {company} hinzugefügt',
  'notice.factor_added.text': 'Ihrem Konto wurde ein zweiter Faktor hinzugefügt.',
  'notice.factor_removed.subject': 'Zweiter Faktor bei {company} entfernt',
  'notice.factor_removed.text': 'Von Ihrem Konto wurde ein zweiter Faktor entfernt.',
  'notice.password_changed.subject': 'Passwort bei {company} geändert',
  'notice.password_changed.text': 'Das Passwort Ihres Kontos wurde geändert.',
  'notice.password_breached.subject': 'Neues Passwort bei {company} nötig',
  'notice.password_breached.text':
    'Das Passwort Ihres Kontos ist aus einem Datenleck bei einem anderen Dienst bekannt. Wählen Sie ein neues.',
  'notice.identifier_added.subject': 'Adresse bei {company} hinzugefügt',
  'notice.identifier_added.text': 'Ihrem Konto wurde eine Adresse hinzugefügt: {changed}',
  'notice.identifier_removed.subject': 'Adresse bei {company} entfernt',
  'notice.identifier_removed.text': 'Von Ihrem Konto wurde eine Adresse entfernt: {changed}',
  'notice.identifier_primary.subject': 'Hauptadresse bei {company} geändert',
  'notice.identifier_primary.text': 'Die Hauptadresse Ihres Kontos ist jetzt {changed}.',
  'notice.identifiers_restored.subject': 'Adressen bei {company} wiederhergestellt',
  'notice.identifiers_restored.text':
    'Eine Änderung der Adressen Ihres Kontos wurde rückgängig gemacht, und Sie wurden überall abgemeldet.',
  'notice.recovery_begun.subject': 'Wiederherstellung des Kontos bei {company} begonnen',
  'notice.recovery_begun.text':
    'Jemand hat begonnen, Ihr Konto wiederherzustellen. Bisher wurde nichts geändert.',
  'notice.second_factor_refused.subject': 'Anmeldung bei {company} abgelehnt',
  'notice.second_factor_refused.text':
    'Jemand hat das richtige Passwort oder den richtigen Code für Ihr Konto angegeben, aber nicht den zweiten Faktor. Die Anmeldung wurde abgelehnt.',
  'notice.identity_linked.subject': 'Neue Anmeldeart bei {company}',
  'notice.identity_linked.text':
    'Mit einem Konto bei {changed} kann man sich nun bei {company} anmelden.',
  'notice.identity_unlinked.subject': 'Anmeldeart bei {company} entfernt',
  'notice.identity_unlinked.text':
    'Mit einem Konto bei {changed} kann man sich nicht mehr bei {company} anmelden.',
  'notice.account_deleted.subject': 'Ihr Konto bei {company} wurde gelöscht',
  'notice.account_deleted.text':
    'Ihr Konto bei {company} wurde gelöscht. Niemand kann sich mehr damit anmelden.',
  'notice.account_reclaimed.subject': 'Ihr Konto bei {company}',
  'notice.account_reclaimed.text':
    'Der Inhaber von {changed} hat diese Adresse bestätigt. Sie gehört nun zu seinem Konto, und der Zugriff anderer darauf wurde beendet.',
  'notice.logins_changed.subject': 'Anmeldeeinstellungen von {company} geändert',
  'notice.logins_changed.text': 'Die Anmeldung bei {company} wurde geändert: {change}',
  'notice.logins_changed.by': 'Geändert von: {actor}',
  'notice.logins_changed.warning':
    'Wenn Sie das nicht erwartet haben, prüfen Sie jetzt die Einstellungen und das Protokoll.',
  'notice.actor.system_administrator': 'einem Systemadministrator',
  'notice.change.provider_added': 'Der Identitätsanbieter {changed} wurde hinzugefügt.',
  'notice.change.provider_changed': 'Der Identitätsanbieter {changed} wurde geändert.',
  'notice.change.provider_deleted': 'Der Identitätsanbieter {changed} wurde gelöscht.',
  'notice.change.provider_domain_added':
    'Die Domain {changed} wurde einem Identitätsanbieter zugeordnet.',
  'notice.change.provider_domain_verified':
    'Die Domain {changed} wurde für einen Identitätsanbieter bestätigt.',
  'notice.change.provider_domain_removed':
    'Die Domain {changed} wurde von einem Identitätsanbieter entfernt.',
  'notice.change.domains': 'Die Domains sind jetzt: {changed}',
  'notice.change.mail_server':
    'E-Mails werden jetzt über {changed} mit neuen Einstellungen gesendet.',
  'notice.change.mail_server_removed': 'Der Mailserver wurde entfernt.',
  'notice.change.sms_provider': 'SMS werden jetzt über {changed} mit neuen Einstellungen gesendet.',
  'notice.change.sms_provider_removed': 'Der SMS-Anbieter wurde entfernt.',
};
