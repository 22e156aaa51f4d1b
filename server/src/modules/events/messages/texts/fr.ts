import { textsOf } from './text.ts';

export const FR = textsOf({
  enterToLogIn: 'Saisissez ce code là où vous vous connectez :',
  orOpenToLogIn: 'Ou ouvrez ce lien dans le navigateur avec lequel vous vous connectez :',
  enterToVerify: 'Saisissez ce code pour confirmer {{identifier}} :',
  orOpen: 'Ou ouvrez ce lien dans le navigateur où vous avez commencé :',
  enterToRecover: 'Saisissez ce code pour récupérer votre compte :',
  validFor: 'Valable {{minutes}} minutes.',
  ignore:
    'Si vous n’êtes pas à l’origine de cette demande, ignorez ce message. Ne communiquez jamais ce code.',
  help: 'Des questions ? Écrivez à {{support_email}}.',
  time: 'Date : {{time}}',
  device: 'Appareil : {{device}}',
  notYou:
    'Si ce n’était pas vous, changez votre mot de passe et vérifiez vos seconds facteurs dès maintenant.',
  openToUndo: 'Si ce n’était pas vous, ouvrez ce lien pour annuler le changement :',
  sendToUndo: 'Si ce n’était pas vous, ce code secret annule le changement pendant 7 jours :',
  invitation: {
    subject: 'Invitation à rejoindre {{company}}',
    what: 'Vous êtes invité à rejoindre {{company}}.',
    open: 'Ouvrez ce lien pour accepter l’invitation :',
    enter: 'Saisissez ce code secret pour accepter l’invitation :',
    validUntil: 'Valable jusqu’au {{valid_until}}.',
    ignore:
      'Si vous n’attendiez pas cette invitation, ignorez ce message. Ne communiquez jamais ce lien ni ce code.',
  },
  subjects: {
    login: 'Connexion à {{company}}',
    verification: 'Confirmez votre adresse chez {{company}}',
    recovery: 'Récupération de votre compte {{company}}',
  },
  sms: {
    login: '{{code}} est votre code de connexion à {{company}}. Ne le donnez jamais à personne.',
    verification:
      '{{code}} est votre code pour confirmer ce numéro auprès de {{company}}. Ne le donnez jamais à personne.',
  },
  notices: {
    'notice.new_device': [
      'Nouvelle connexion à {{company}}',
      'Une connexion à votre compte a eu lieu depuis un nouvel appareil.',
    ],
    'notice.factor_added': [
      'Second facteur ajouté chez {{company}}',
      'Un second facteur a été ajouté à votre compte.',
    ],
    'notice.factor_removed': [
      'Second facteur supprimé chez {{company}}',
      'Un second facteur a été supprimé de votre compte.',
    ],
    'notice.password_changed': [
      'Mot de passe modifié chez {{company}}',
      'Le mot de passe de votre compte a été modifié.',
    ],
    'notice.password_breached': [
      'Choisissez un nouveau mot de passe chez {{company}}',
      'Le mot de passe de votre compte figure dans une fuite de données d’un autre service. Choisissez-en un nouveau.',
    ],
    'notice.identifier_added': [
      'Adresse ajoutée chez {{company}}',
      'Une adresse a été ajoutée à votre compte : {{changed}}',
    ],
    'notice.identifier_removed': [
      'Adresse supprimée chez {{company}}',
      'Une adresse a été supprimée de votre compte : {{changed}}',
    ],
    'notice.identifier_primary': [
      'Adresse principale modifiée chez {{company}}',
      'L’adresse principale de votre compte est désormais {{changed}}.',
    ],
    'notice.identifiers_restored': [
      'Adresses rétablies chez {{company}}',
      'Un changement des adresses de votre compte a été annulé, et vous avez été déconnecté partout.',
    ],
    'notice.recovery_begun': [
      'Récupération de compte demandée chez {{company}}',
      'Quelqu’un a entrepris de récupérer votre compte. Rien n’a encore été modifié.',
    ],
    'notice.second_factor_refused': [
      'Connexion refusée chez {{company}}',
      'Quelqu’un a saisi le bon mot de passe ou le bon code de votre compte, mais pas le second facteur. La connexion a été refusée.',
    ],
    'notice.identity_linked': [
      'Nouveau moyen de connexion chez {{company}}',
      'Un compte {{changed}} permet désormais de se connecter chez {{company}}.',
    ],
    'notice.identity_unlinked': [
      'Un moyen de connexion chez {{company}} a été supprimé',
      'Un compte {{changed}} ne permet plus de se connecter chez {{company}}.',
    ],
    'notice.account_deleted': [
      'Votre compte {{company}} a été supprimé',
      'Votre compte {{company}} a été supprimé. Plus personne ne peut s’y connecter.',
    ],
    'notice.account_reclaimed': [
      'Votre compte {{company}}',
      'Le titulaire de {{changed}} a confirmé cette adresse. Elle est désormais rattachée à son compte, et les autres accès à celui-ci ont été fermés.',
    ],
  },
});
