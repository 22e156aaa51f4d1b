import type { MAIL as English } from '../en/mail.ts';
import type { Translated } from '../keys.ts';

export const MAIL: Translated<typeof English> = {
  'mail.login.subject': 'Connexion à {company}',
  'mail.verification.subject': 'Confirmez votre adresse chez {company}',
  'mail.recovery.subject': 'Récupération de votre compte {company}',
  'mail.enter_to_log_in': 'Saisissez ce code là où vous vous connectez :',
  'mail.open_to_log_in': 'Ou ouvrez ce lien dans le navigateur avec lequel vous vous connectez :',
  'mail.enter_to_verify': 'Saisissez ce code pour confirmer {identifier} :',
  'mail.enter_to_recover': 'Saisissez ce code pour récupérer votre compte :',
  'mail.open': 'Ou ouvrez ce lien dans le navigateur où vous avez commencé :',
  'mail.valid_for': 'Valable {duration}.',
  'mail.duration': '{minutes, plural, one {# minute} many {# minutes} other {# minutes}}',
  'mail.ignore':
    'Si vous n’êtes pas à l’origine de cette demande, ignorez ce message. Ne communiquez jamais ce code.',
  'mail.help': 'Des questions ? Écrivez à {support_email}.',
  'mail.time': 'Date : {time}',
  'mail.device': 'Appareil : {device}',
  'mail.not_you':
    'Si ce n’était pas vous, changez votre mot de passe et vérifiez vos seconds facteurs dès maintenant.',
  'mail.open_to_undo': 'Si ce n’était pas vous, ouvrez ce lien pour annuler le changement :',

  'mail.invitation.subject': 'Invitation à rejoindre {company}',
  'mail.invitation.what': 'Vous êtes invité à rejoindre {company}.',
  'mail.invitation.open': 'Ouvrez ce lien pour accepter l’invitation :',
  'mail.invitation.valid_until': 'Valable jusqu’au {valid_until}.',
  'mail.invitation.ignore':
    'Si vous n’attendiez pas cette invitation, ignorez ce message. Ne communiquez jamais ce lien ni ce code.',

  'sms.login': '{code} est votre code de connexion à {company}. Ne le donnez jamais à personne.',
  'sms.verification':
    '{code} est votre code pour confirmer ce numéro auprès de {company}. Ne le donnez jamais à personne.',

  'notice.new_device.subject': 'Nouvelle connexion à {company}',
  'notice.new_device.text': 'Une connexion à votre compte a eu lieu depuis un nouvel appareil.',
  'notice.factor_added.subject': 'Second facteur ajouté chez {company}',
  'notice.factor_added.text': 'Un second facteur a été ajouté à votre compte.',
  'notice.factor_removed.subject': 'Second facteur supprimé chez {company}',
  'notice.factor_removed.text': 'Un second facteur a été supprimé de votre compte.',
  'notice.password_changed.subject': 'Mot de passe modifié chez {company}',
  'notice.password_changed.text': 'Le mot de passe de votre compte a été modifié.',
  'notice.password_breached.subject': 'Choisissez un nouveau mot de passe chez {company}',
  'notice.password_breached.text':
    'Le mot de passe de votre compte figure dans une fuite de données d’un autre service. Choisissez-en un nouveau.',
  'notice.identifier_added.subject': 'Adresse ajoutée chez {company}',
  'notice.identifier_added.text': 'Une adresse a été ajoutée à votre compte : {changed}',
  'notice.identifier_removed.subject': 'Adresse supprimée chez {company}',
  'notice.identifier_removed.text': 'Une adresse a été supprimée de votre compte : {changed}',
  'notice.identifier_primary.subject': 'Adresse principale modifiée chez {company}',
  'notice.identifier_primary.text': 'L’adresse principale de votre compte est désormais {changed}.',
  'notice.identifiers_restored.subject': 'Adresses rétablies chez {company}',
  'notice.identifiers_restored.text':
    'Un changement des adresses de votre compte a été annulé, et vous avez été déconnecté partout.',
  'notice.recovery_begun.subject': 'Récupération de compte demandée chez {company}',
  'notice.recovery_begun.text':
    'Quelqu’un a entrepris de récupérer votre compte. Rien n’a encore été modifié.',
  'notice.second_factor_refused.subject': 'Connexion refusée chez {company}',
  'notice.second_factor_refused.text':
    'Quelqu’un a saisi le bon mot de passe ou le bon code de votre compte, mais pas le second facteur. La connexion a été refusée.',
  'notice.identity_linked.subject': 'Nouveau moyen de connexion chez {company}',
  'notice.identity_linked.text':
    'Un compte {changed} permet désormais de se connecter chez {company}.',
  'notice.identity_unlinked.subject': 'Un moyen de connexion chez {company} a été supprimé',
  'notice.identity_unlinked.text':
    'Un compte {changed} ne permet plus de se connecter chez {company}.',
  'notice.account_deleted.subject': 'Votre compte {company} a été supprimé',
  'notice.account_deleted.text':
    'Votre compte {company} a été supprimé. Plus personne ne peut s’y connecter.',
  'notice.account_reclaimed.subject': 'Votre compte {company}',
  'notice.account_reclaimed.text':
    'Le titulaire de {changed} a confirmé cette adresse. Elle est désormais rattachée à son compte, et les autres accès à celui-ci ont été fermés.',
  'notice.logins_changed.subject': 'Paramètres de connexion de {company} modifiés',
  'notice.logins_changed.text': 'La connexion à {company} a été modifiée : {change}',
  'notice.logins_changed.by': 'Modifié par : {actor}',
  'notice.logins_changed.warning':
    'Si vous ne vous y attendiez pas, vérifiez dès maintenant les paramètres et le journal d’audit.',
  'notice.actor.system_administrator': 'un administrateur système',
  'notice.change.provider_added': 'Le fournisseur d’identité {changed} a été ajouté.',
  'notice.change.provider_changed': 'Le fournisseur d’identité {changed} a été modifié.',
  'notice.change.provider_deleted': 'Le fournisseur d’identité {changed} a été supprimé.',
  'notice.change.provider_domain_added':
    'Le domaine {changed} a été associé à un fournisseur d’identité.',
  'notice.change.provider_domain_verified':
    'Le domaine {changed} a été vérifié pour un fournisseur d’identité.',
  'notice.change.provider_domain_removed':
    'Le domaine {changed} a été retiré d’un fournisseur d’identité.',
  'notice.change.domains': 'Les domaines sont désormais : {changed}',
  'notice.change.mail_server':
    'Les e-mails passent désormais par {changed}, avec de nouveaux paramètres.',
  'notice.change.mail_server_removed': 'Le serveur de messagerie a été supprimé.',
  'notice.change.sms_provider':
    'Les SMS passent désormais par {changed}, avec de nouveaux paramètres.',
  'notice.change.sms_provider_removed': 'Le fournisseur de SMS a été supprimé.',
};
