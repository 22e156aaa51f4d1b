import type { LOGIN as English } from '../en/login.ts';
import type { Translated } from '../keys.ts';

export const LOGIN: Translated<typeof English> = {
  'action.continue': 'Continuer',
  'action.log_in': 'Se connecter',
  'action.send_code': 'Envoyer un code',
  'action.start_again': 'Recommencer',
  'action.another_account': 'Utiliser un autre compte',
  'action.back_to_login': 'Retour à la connexion',
  'action.log_in_differently': 'Se connecter autrement',
  'field.identifier': 'Adresse e-mail ou numéro de téléphone',
  'field.email': 'Adresse e-mail',
  'field.password': 'Mot de passe',
  'field.new_password': 'Nouveau mot de passe',
  'field.code': 'Code',
  'footer.terms': 'Conditions d’utilisation',
  'footer.privacy': 'Confidentialité',
  'footer.language': 'Langue',

  'login.title': 'Connexion',
  'login.confirm_title': 'Confirmez votre identité',
  'login.lead': 'pour continuer vers <b>{client}</b>',
  'login.own_pages': 'votre compte',
  'login.passkey': 'Utiliser une clé d’accès',
  'login.code_instead': 'Recevoir plutôt un code',
  'login.forgot_password': 'Mot de passe oublié ?',
  'login.create_account': 'Créer un compte',
  'login.provider': 'Continuer avec {provider}',
  'login.more_providers': 'Autres moyens de connexion',
  'login.last_used': 'Utilisé en dernier',
  'login.no_way': 'Il n’est pas possible de continuer ici.',
  'login.linking':
    'Il existe déjà un compte avec cette adresse. Connectez-vous-y une fois : vous pourrez ensuite l’utiliser avec le moyen que vous venez d’employer.',

  'code.title': 'Se connecter avec un code',
  'code.lead': 'Un code est envoyé à votre adresse si elle correspond à un compte.',
  'recovery.title': 'Récupérer votre compte',
  'recovery.lead':
    'Un code est envoyé à votre adresse si elle correspond à un compte. Vous choisirez ensuite un nouveau mot de passe.',
  'registration.title': 'Créer un compte',
  'registration.lead_code': 'Un code est envoyé à votre adresse.',
  'registration.lead': 'pour <b>{tenant}</b>',
  'registration.submit': 'Créer le compte',

  'step.check_mail': 'Consultez vos e-mails',
  'step.check_phone': 'Consultez votre téléphone',
  'step.new_password': 'Choisissez un nouveau mot de passe',
  'step.enrol': 'Protégez votre compte',
  'step.second': 'Seconde étape',
  'step.linking': 'Vous avez un compte ici',
  'step.confirm_address': 'Confirmez votre adresse',
  'step.send': 'Recevoir un code',
  'step.send_again': 'Envoyer à nouveau',
  'step.sent':
    'Si un compte existe, un message est en route vers {address}. Il est valable 10 minutes.',
  'step.totp': 'Code de votre application d’authentification',
  'step.save_password': 'Enregistrer et continuer',
  'step.enrol_text':
    'Un autre facteur est nécessaire pour se connecter ici. Ajoutez-en un que vous gardez avec vous.',
  'step.use_recovery_code': 'Utiliser un code de récupération',
  'step.recovery_code': 'Code de récupération',
  'step.use_it': 'L’utiliser',

  'passkey.add': 'Ajouter une clé d’accès',
  'passkey.lead': 'Votre navigateur ou votre appareil vous la demande.',
  'passkey.ask_again': 'Demander à nouveau',
  'passkey.none': 'Il n’y avait pas de clé d’accès pour ce compte, ou l’opération a été annulée.',
  'passkey.not_made': 'Aucune clé d’accès n’a été créée, ou l’opération a été annulée.',
  'passkey.needs_script': 'Une clé d’accès nécessite JavaScript, qui est désactivé ici.',
  'totp.add': 'Ajouter une application d’authentification',
  'totp.key':
    'Scannez ce code avec votre application, ajoutez-y sa clé, ou <link>ouvrez-le dans une application de cet appareil</link> :',
  'totp.qr': 'Code QR de la clé',
  'totp.code': 'Le code qu’elle affiche',
  'codes.title': 'Vos codes de récupération',
  'codes.lead':
    'Chacun vous laisse entrer une fois si vous perdez votre application. Ils ne sont affichés que maintenant : conservez-les en lieu sûr.',
  'codes.kept': 'Je les ai conservés. Continuer',
  'codes.next_title': 'Votre prochain code de récupération',
  'codes.next_lead':
    'Le code que vous avez utilisé n’est plus valable. Celui-ci le remplace. Il n’est affiché que maintenant.',
  'codes.next_kept': 'Je l’ai conservé. Continuer',

  'invitation.title': 'Rejoindre {tenant}',
  'invitation.lead': 'Vous êtes invité à rejoindre {tenant}.',
  'invitation.lead_by': '<b>{inviter}</b> vous invite à rejoindre {tenant}.',
  'invitation.for': 'L’invitation est destinée à {identifier}.',
  'invitation.accept': 'Continuer',
  'invitation.unexpected': 'Si vous ne vous y attendez pas, fermez la page. Rien ne s’est passé.',
  'invitation.step': 'Vous acceptez ainsi l’invitation à rejoindre {tenant}.',
  'invitation.expired_title': 'Cette invitation a expiré',
  'invitation.expired': 'Demandez-en une autre à la personne qui vous a invité.',
  'invitation.revoked_title': 'Cette invitation a été retirée',
  'invitation.revoked': 'Adressez-vous à la personne qui vous a invité.',
  'invitation.accepted_title': 'Cette invitation a déjà servi',
  'invitation.accepted':
    'Si c’était vous, connectez-vous. Sinon, prévenez la personne qui vous a invité.',
  'invitation.unknown_title': 'Cette invitation n’existe pas',
  'invitation.unknown':
    'Vérifiez que l’adresse est complète, ou adressez-vous à la personne qui vous a invité.',

  'undo.title': 'Annuler le changement apporté à votre compte ?',
  'undo.lead':
    'Votre compte chez {tenant} retrouvera les adresses qu’il avait avant le changement, et vous serez déconnecté partout.',
  'undo.proof':
    'Pour confirmer qu’il s’agit bien de vous, saisissez le mot de passe que votre compte avait avant le changement :',
  'undo.or_code':
    'Ou saisissez un code de l’application d’authentification que vous utilisiez alors :',
  'undo.submit': 'Annuler le changement',
  'undo.unexpected':
    'Si vous avez fait ce changement vous-même, fermez cette page. Rien ne sera annulé.',
  'undo.passkey':
    'Pour confirmer qu’il s’agit bien de vous, utilisez une clé d’accès que votre compte avait avant le changement :',
  'undo.or_passkey': 'Ou utilisez une clé d’accès de cette époque :',
  'undo.lost':
    'Les méthodes de connexion qui protégeaient votre compte avant le changement ont été supprimées. Demandez de l’aide à {tenant}.',
  'undo.wrong':
    'Cela ne correspond pas à ce que votre compte avait avant le changement. Réessayez.',
  'undo.done_title': 'Le changement a été annulé',
  'undo.done':
    'Vos adresses ont été rétablies, et vous êtes déconnecté partout. Connectez-vous et choisissez un nouveau mot de passe, au cas où quelqu’un d’autre connaîtrait le vôtre.',
  'undo.ended_title': 'Ce lien ne fonctionne plus',
  'undo.ended':
    'Le changement a déjà été annulé, il date de plus de 7 jours, ou vous vous êtes connecté depuis. Connectez-vous pour voir les adresses de votre compte.',

  'first_login.title': 'Se connecter à la console',
  'first_login.as':
    'Vous serez connecté en tant que <b>{identifier}</b>, l’administrateur de cette installation.',
  'first_login.once':
    'Le lien fonctionne une seule fois, dans l’heure qui suit le premier démarrage.',
  'first_login.ended':
    'Il fonctionne une seule fois, dans l’heure qui suit le premier démarrage et tant que le service n’est pas arrêté. Connectez-vous avec le mot de passe affiché avec lui.',

  'link.title': 'Poursuivre la connexion',
  'link.lead': 'à <b>{client}</b>, en tant que {address}',
  'link.elsewhere_title': 'Continuez là où vous avez commencé',
  'link.elsewhere':
    'Ce message a été demandé dans <b>{browser}</b>, {minutes, plural, =0 {à l’instant} one {il y a # minute} many {il y a # minutes} other {il y a # minutes}}. Son lien ne fonctionne que dans ce navigateur.',
  'link.if_you': 'Si c’était vous, saisissez-y le code du message.',
  'link.if_not_you':
    'Sinon, ne communiquez le code à personne et fermez cette page : il ne s’est rien passé.',
  'link.ended_title': 'Ce lien n’est plus valable',
  'link.ended':
    'Il fonctionne une seule fois, pendant 10 minutes. Retournez à l’application et demandez-en un autre.',
  'browser.unknown': 'un autre navigateur',
  'browser.on': '{browser} sur {system}',

  'leave.title': 'Un instant',
  'leave.back': 'Vous retournez vers <link>{host}</link>.',
  'leave.provider': 'Vous vous connectez auprès de <link>{host}</link>.',
  'leave.continue': 'Continuer vers {host}',
  'start_again.title': 'Cette connexion ne peut pas continuer',
  'start_again.lead':
    'Le lien a été ouvert trop tard ou une deuxième fois, ou l’application a envoyé une requête incorrecte. Rien n’a été modifié. Recommencez dans l’application.',
  'stopped.title': 'L’application ne peut pas continuer',
  'stopped.lead':
    'Rien n’a été communiqué à l’application et rien n’a été modifié. Vous ne l’avez jamais autorisée à utiliser votre compte.',
  'stopped.host':
    'Elle veut vous envoyer vers <b>{host}</b>. Personne n’a vérifié cette adresse : ne continuez que si vous la connaissez.',
  'too_old.title': 'Cette page est trop ancienne',
  'too_old.lead': 'Rien n’a été fait. Vous pouvez recommencer.',
  'too_old.again': 'Recommencer',

  'home.title': 'Bienvenue',
  'home.console': 'Console',
  'home.console_about': 'Gérer les utilisateurs, les applications et les réglages.',
  'home.account': 'Compte',
  'home.account_about': 'Votre profil, vos moyens de connexion et vos sessions.',
  'home.reference': 'Référence de l’API',
  'home.reference_about': 'Tous les points d’accès, avec leurs champs et leurs erreurs.',
  'home.docs': 'Documentation',
  'home.docs_about': 'Les guides se trouvent dans le dossier {folder} du code source.',
};
