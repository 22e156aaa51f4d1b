import type { LOGIN as English } from '../en/login.ts';
import type { Translated } from '../keys.ts';

export const LOGIN: Translated<typeof English> = {
  'action.continue': 'Weiter',
  'action.log_in': 'Anmelden',
  'action.send_code': 'Code senden',
  'action.start_again': 'Von vorn beginnen',
  'action.another_account': 'Anderes Konto verwenden',
  'action.back_to_login': 'Zurück zur Anmeldung',
  'action.log_in_differently': 'Anders anmelden',
  'field.identifier': 'E-Mail-Adresse oder Telefonnummer',
  'field.email': 'E-Mail-Adresse',
  'field.password': 'Passwort',
  'field.new_password': 'Neues Passwort',
  'field.code': 'Code',
  'footer.terms': 'Nutzungsbedingungen',
  'footer.privacy': 'Datenschutz',
  'footer.language': 'Sprache',

  'login.title': 'Anmelden',
  'login.confirm_title': 'Bestätigen Sie, dass Sie es sind',
  'login.lead': 'um mit <b>{client}</b> fortzufahren',
  'login.own_pages': 'Ihrem Konto',
  'login.passkey': 'Passkey verwenden',
  'login.code_instead': 'Stattdessen einen Code senden',
  'login.forgot_password': 'Passwort vergessen?',
  'login.create_account': 'Konto erstellen',
  'login.provider': 'Weiter mit {provider}',
  'login.more_providers': 'Weitere Anmeldearten',
  'login.last_used': 'Zuletzt verwendet',
  'login.no_way': 'Hier geht es auf keinem Weg weiter.',
  'login.linking':
    'Es gibt bereits ein Konto mit dieser Adresse. Melden Sie sich einmal dort an, dann können Sie es mit dem verwenden, womit Sie sich gerade angemeldet haben.',

  'code.title': 'Mit einem Code anmelden',
  'code.lead': 'Wir senden einen Code an Ihre Adresse, wenn es dafür ein Konto gibt.',
  'recovery.title': 'Konto wiederherstellen',
  'recovery.lead':
    'Wir senden einen Code an Ihre Adresse, wenn es dafür ein Konto gibt. Danach wählen Sie ein neues Passwort.',
  'registration.title': 'Konto erstellen',
  'registration.lead_code': 'Wir senden einen Code an Ihre Adresse.',
  'registration.lead': 'für <b>{tenant}</b>',
  'registration.submit': 'Konto erstellen',

  'step.check_mail': 'Sehen Sie in Ihre E-Mails',
  'step.check_phone': 'Sehen Sie auf Ihr Telefon',
  'step.new_password': 'Neues Passwort wählen',
  'step.enrol': 'Schützen Sie Ihr Konto',
  'step.second': 'Zweiter Schritt',
  'step.linking': 'Sie haben hier ein Konto',
  'step.confirm_address': 'Adresse bestätigen',
  'step.send': 'Code senden',
  'step.send_again': 'Noch einmal senden',
  'step.sent':
    'Wenn es ein Konto gibt, ist eine Nachricht an {address} unterwegs. Sie ist 10 Minuten gültig.',
  'step.totp': 'Code Ihrer Authenticator-App',
  'step.save_password': 'Speichern und weiter',
  'step.enrol_text':
    'Für die Anmeldung wird hier ein weiterer Faktor benötigt. Fügen Sie einen hinzu, den Sie bei sich haben.',
  'step.use_recovery_code': 'Wiederherstellungscode verwenden',
  'step.recovery_code': 'Wiederherstellungscode',
  'step.use_it': 'Verwenden',

  'passkey.add': 'Passkey hinzufügen',
  'passkey.lead': 'Ihr Browser oder Gerät fragt Sie danach.',
  'passkey.ask_again': 'Erneut fragen',
  'passkey.none': 'Für dieses Konto gab es keinen Passkey, oder der Vorgang wurde abgebrochen.',
  'passkey.not_made': 'Es wurde kein Passkey erstellt, oder der Vorgang wurde abgebrochen.',
  'passkey.needs_script': 'Ein Passkey benötigt JavaScript, das hier abgeschaltet ist.',
  'totp.add': 'Authenticator-App hinzufügen',
  'totp.key':
    'Scannen Sie diesen Code mit Ihrer App, fügen Sie dort seinen Schlüssel hinzu, oder <link>öffnen Sie ihn in einer App auf diesem Gerät</link>:',
  'totp.qr': 'QR-Code des Schlüssels',
  'totp.code': 'Der Code, den sie anzeigt',
  'codes.title': 'Ihre Wiederherstellungs\u00adcodes',
  'codes.lead':
    'Jeder lässt Sie einmal hinein, wenn Sie Ihre App verlieren. Sie werden nur jetzt angezeigt: Bewahren Sie sie sicher auf.',
  'codes.kept': 'Ich habe sie aufbewahrt. Weiter',
  'codes.next_title': 'Ihr nächster Wiederherstellungs\u00adcode',
  'codes.next_lead':
    'Der verwendete Code ist verbraucht. Dieser tritt an seine Stelle. Er wird nur jetzt angezeigt.',
  'codes.next_kept': 'Ich habe ihn aufbewahrt. Weiter',

  'invitation.title': '{tenant} beitreten',
  'invitation.lead': 'Sie sind zu {tenant} eingeladen.',
  'invitation.lead_by': '<b>{inviter}</b> lädt Sie zu {tenant} ein.',
  'invitation.for': 'Die Einladung ist für {identifier}.',
  'invitation.accept': 'Weiter',
  'invitation.unexpected':
    'Wenn Sie das nicht erwarten, schließen Sie die Seite. Es ist nichts geschehen.',
  'invitation.step': 'Damit nehmen Sie die Einladung zu {tenant} an.',
  'invitation.expired_title': 'Diese Einladung ist abgelaufen',
  'invitation.expired': 'Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
  'invitation.revoked_title': 'Diese Einladung wurde zurückgezogen',
  'invitation.revoked': 'Fragen Sie, wer Sie eingeladen hat.',
  'invitation.accepted_title': 'Diese Einladung wurde bereits verwendet',
  'invitation.accepted':
    'Wenn Sie es waren, melden Sie sich an. Andernfalls informieren Sie die Person, die Sie eingeladen hat.',
  'invitation.unknown_title': 'Diese Einladung gibt es nicht',
  'invitation.unknown':
    'Prüfen Sie, ob die Adresse vollständig ist, oder wenden Sie sich an die Person, die Sie eingeladen hat.',

  'undo.title': 'Änderung an Ihrem Konto rückgängig machen?',
  'undo.lead':
    'Damit erhält Ihr Konto bei {tenant} wieder die Adressen, die es vor der Änderung hatte, und Sie werden überall abgemeldet.',
  'undo.proof': 'Geben Sie zur Bestätigung das Passwort ein, das Ihr Konto vor der Änderung hatte:',
  'undo.or_code':
    'Oder geben Sie einen Code der Authenticator-App ein, die Sie damals verwendet haben:',
  'undo.submit': 'Änderung rückgängig machen',
  'undo.unexpected':
    'Wenn Sie die Änderung selbst vorgenommen haben, schließen Sie diese Seite. Die Änderung bleibt dann bestehen.',
  'undo.passkey':
    'Verwenden Sie zur Bestätigung einen Passkey, den Ihr Konto vor der Änderung hatte:',
  'undo.or_passkey': 'Oder verwenden Sie einen Passkey von damals:',
  'undo.lost':
    'Die Anmeldemethoden, die Ihr Konto vor der Änderung geschützt haben, wurden entfernt. Bitten Sie {tenant} um Hilfe.',
  'undo.wrong':
    'Das stimmt nicht mit dem überein, was Ihr Konto vor der Änderung hatte. Versuchen Sie es noch einmal.',
  'undo.done_title': 'Die Änderung wurde rückgängig gemacht',
  'undo.done':
    'Ihre Adressen wurden wiederhergestellt, und Sie sind überall abgemeldet. Melden Sie sich an, und wählen Sie ein neues Passwort, falls jemand anderes Ihres kennt.',
  'undo.ended_title': 'Dieser Link funktioniert nicht mehr',
  'undo.ended':
    'Die Änderung wurde schon rückgängig gemacht, sie ist älter als 7 Tage, oder Sie haben sich seitdem angemeldet. Melden Sie sich an, um die Adressen Ihres Kontos zu sehen.',

  'first_login.title': 'In der Konsole anmelden',
  'first_login.as':
    'Sie werden als <b>{identifier}</b> angemeldet, den Administrator dieser Installation.',
  'first_login.once': 'Der Link gilt einmal, innerhalb einer Stunde nach dem ersten Start.',
  'first_login.ended':
    'Er gilt einmal, innerhalb einer Stunde nach dem ersten Start und bis der Dienst beendet wird. Melden Sie sich mit dem Passwort an, das mit ihm ausgegeben wurde.',

  'link.title': 'Anmeldung fortsetzen',
  'link.lead': 'bei <b>{client}</b>, als {address}',
  'link.elsewhere_title': 'Machen Sie dort weiter, wo Sie begonnen haben',
  'link.elsewhere':
    'Diese Nachricht wurde {minutes, plural, =0 {gerade eben} one {vor # Minute} other {vor # Minuten}} in <b>{browser}</b> angefordert. Ihr Link funktioniert nur in diesem Browser.',
  'link.if_you': 'Wenn Sie das waren, geben Sie dort den Code aus der Nachricht ein.',
  'link.if_not_you':
    'Wenn nicht, geben Sie den Code an niemanden weiter, und schließen Sie diese Seite: Es ist nichts geschehen.',
  'link.ended_title': 'Dieser Link ist nicht mehr gültig',
  'link.ended':
    'Er funktioniert einmal und 10 Minuten lang. Gehen Sie zur Anwendung zurück, und fordern Sie einen neuen an.',
  'browser.unknown': 'einem anderen Browser',
  'browser.on': '{browser} unter {system}',

  'leave.title': 'Einen Moment',
  'leave.back': 'Sie kehren zu <link>{host}</link> zurück.',
  'leave.provider': 'Sie melden sich bei <link>{host}</link> an.',
  'leave.continue': 'Weiter zu {host}',
  'start_again.title': 'Diese Anmeldung kann nicht fortgesetzt werden',
  'start_again.lead':
    'Der Link wurde zu spät oder ein zweites Mal geöffnet, oder die Anwendung hat eine ungültige Anfrage gesendet. Es wurde nichts geändert. Beginnen Sie in der Anwendung von vorn.',
  'stopped.title': 'Die Anwendung kann nicht fortfahren',
  'stopped.lead':
    'Der Anwendung wurde nichts mitgeteilt, und nichts wurde geändert. Sie haben ihr nie erlaubt, Ihr Konto zu verwenden.',
  'stopped.host':
    'Sie möchte Sie zu <b>{host}</b> weiterleiten. Niemand hat diese Adresse geprüft: Gehen Sie nur weiter, wenn Sie sie kennen.',
  'too_old.title': 'Diese Seite ist zu alt',
  'too_old.lead': 'Es ist nichts geschehen. Sie können von vorn beginnen.',
  'too_old.again': 'Von vorn beginnen',

  'home.title': 'Willkommen',
  'home.console': 'Konsole',
  'home.console_about': 'Benutzer, Anwendungen und Einstellungen verwalten.',
  'home.account': 'Konto',
  'home.account_about': 'Ihr Profil, Ihre Anmeldemethoden und Sitzungen.',
  'home.reference': 'API-Referenz',
  'home.reference_about': 'Alle Endpunkte mit Feldern und Fehlern.',
  'home.docs': 'Dokumentation',
  'home.docs_about': 'Die Anleitungen liegen im Ordner {folder} des Quellcodes.',
};
