import type { LOGIN as English } from '../en/login.ts';
import type { Translated } from '../keys.ts';

export const LOGIN: Translated<typeof English> = {
  'action.continue': 'Continuar',
  'action.log_in': 'Iniciar sesión',
  'action.send_code': 'Enviar un código',
  'action.start_again': 'Empezar de nuevo',
  'action.another_account': 'Usar otra cuenta',
  'action.back_to_login': 'Volver al inicio de sesión',
  'action.log_in_differently': 'Iniciar sesión de otra forma',
  'field.identifier': 'Correo electrónico o número de teléfono',
  'field.email': 'Correo electrónico',
  'field.password': 'Contraseña',
  'field.new_password': 'Nueva contraseña',
  'field.code': 'Código',
  'footer.terms': 'Condiciones de uso',
  'footer.privacy': 'Privacidad',
  'footer.language': 'Idioma',

  'login.title': 'Iniciar sesión',
  'login.confirm_title': 'Confirme que es usted',
  'login.lead': 'para continuar en <b>{client}</b>',
  'login.own_pages': 'su cuenta',
  'login.passkey': 'Usar una llave de acceso',
  'login.code_instead': 'Recibir un código en su lugar',
  'login.forgot_password': '¿Ha olvidado su contraseña?',
  'login.create_account': 'Crear una cuenta',
  'login.provider': 'Continuar con {provider}',
  'login.more_providers': 'Más formas de iniciar sesión',
  'login.last_used': 'Usado la última vez',
  'login.no_way': 'No es posible continuar aquí.',
  'login.linking':
    'Ya existe una cuenta con esta dirección. Inicie sesión en ella una vez y podrá usarla con el método que acaba de utilizar.',

  'code.title': 'Iniciar sesión con un código',
  'code.lead': 'Se envía un código a su dirección si tiene una cuenta.',
  'recovery.title': 'Recuperar su cuenta',
  'recovery.lead':
    'Se envía un código a su dirección si tiene una cuenta. Después elegirá una nueva contraseña.',
  'registration.title': 'Crear una cuenta',
  'registration.lead_code': 'Se envía un código a su dirección.',
  'registration.lead': 'para <b>{tenant}</b>',
  'registration.submit': 'Crear la cuenta',

  'step.check_mail': 'Revise su correo',
  'step.check_phone': 'Revise su teléfono',
  'step.new_password': 'Elija una nueva contraseña',
  'step.enrol': 'Proteja su cuenta',
  'step.second': 'Segundo paso',
  'step.linking': 'Usted tiene una cuenta aquí',
  'step.confirm_address': 'Confirme su dirección',
  'step.send': 'Recibir un código',
  'step.send_again': 'Enviar de nuevo',
  'step.sent':
    'Si existe una cuenta, hay un mensaje en camino a {address}. Es válido durante 10 minutos.',
  'step.totp': 'Código de su aplicación de autenticación',
  'step.save_password': 'Guardar y continuar',
  'step.enrol_text':
    'Para iniciar sesión aquí se necesita otro factor. Añada uno que lleve consigo.',
  'step.use_recovery_code': 'Usar un código de recuperación',
  'step.recovery_code': 'Código de recuperación',
  'step.use_it': 'Usarlo',

  'passkey.add': 'Añadir una llave de acceso',
  'passkey.lead': 'Su navegador o dispositivo se la pedirá.',
  'passkey.ask_again': 'Pedir de nuevo',
  'passkey.none': 'No había ninguna llave de acceso para esta cuenta o se ha cancelado.',
  'passkey.not_made': 'No se ha creado ninguna llave de acceso o se ha cancelado.',
  'passkey.needs_script': 'Una llave de acceso necesita JavaScript, que aquí está desactivado.',
  'totp.add': 'Añadir una aplicación de autenticación',
  'totp.key':
    'Escanee este código con su aplicación, añada en ella su clave o <link>ábralo en una aplicación de este dispositivo</link>:',
  'totp.qr': 'Código QR de la clave',
  'totp.code': 'El código que muestra',
  'codes.title': 'Sus códigos de recuperación',
  'codes.lead':
    'Cada uno le permite entrar una vez si pierde su aplicación. Solo se muestran ahora: guárdelos en un lugar seguro.',
  'codes.kept': 'Los he guardado. Continuar',
  'codes.next_title': 'Su próximo código de recuperación',
  'codes.next_lead':
    'El código que ha utilizado ya no sirve. Este ocupa su lugar. Solo se muestra ahora.',
  'codes.next_kept': 'Lo he guardado. Continuar',

  'invitation.title': 'Unirse a {tenant}',
  'invitation.lead': 'Le han invitado a {tenant}.',
  'invitation.lead_by': '<b>{inviter}</b> le invita a {tenant}.',
  'invitation.for': 'La invitación es para {identifier}.',
  'invitation.accept': 'Continuar',
  'invitation.unexpected': 'Si no la esperaba, cierre la página. No ha ocurrido nada.',
  'invitation.step': 'Con esto acepta la invitación a {tenant}.',
  'invitation.expired_title': 'Esta invitación ha caducado',
  'invitation.expired': 'Pida otra a quien le invitó.',
  'invitation.revoked_title': 'Esta invitación se ha retirado',
  'invitation.revoked': 'Consulte a quien le invitó.',
  'invitation.accepted_title': 'Esta invitación ya se ha utilizado',
  'invitation.accepted': 'Si fue usted, inicie sesión. Si no, avise a quien le invitó.',
  'invitation.unknown_title': 'Esta invitación no existe',
  'invitation.unknown': 'Compruebe que la dirección está completa o consulte a quien le invitó.',

  'undo.title': '¿Deshacer el cambio en su cuenta?',
  'undo.lead':
    'Se restaurarán las direcciones que su cuenta en {tenant} tenía antes del cambio y se cerrarán todas sus sesiones.',
  'undo.proof':
    'Para confirmar que es usted, escriba la contraseña que su cuenta tenía antes del cambio:',
  'undo.or_code': 'O escriba un código de la aplicación de autenticación que usaba entonces:',
  'undo.submit': 'Deshacer el cambio',
  'undo.unexpected': 'Si usted mismo hizo el cambio, cierre esta página. No se deshará nada.',
  'undo.passkey':
    'Para confirmar que es usted, use una llave de acceso que su cuenta tenía antes del cambio:',
  'undo.or_passkey': 'O use una llave de acceso que tenía entonces:',
  'undo.lost':
    'Se han eliminado los métodos de inicio de sesión que protegían su cuenta antes del cambio. Pida ayuda a {tenant}.',
  'undo.wrong': 'Eso no coincide con lo que tenía su cuenta antes del cambio. Inténtelo de nuevo.',
  'undo.done_title': 'El cambio se ha deshecho',
  'undo.done':
    'Se han restaurado sus direcciones y se han cerrado todas sus sesiones. Inicie sesión y elija una contraseña nueva, por si otra persona conoce la suya.',
  'undo.ended_title': 'Este enlace ya no funciona',
  'undo.ended':
    'El cambio ya se deshizo, tiene más de 7 días o usted ha iniciado sesión desde entonces. Inicie sesión para ver las direcciones de su cuenta.',

  'first_login.title': 'Iniciar sesión en la consola',
  'first_login.as': 'Entrará como <b>{identifier}</b>, el administrador de esta instalación.',
  'first_login.once': 'El enlace funciona una sola vez, en la hora que sigue al primer arranque.',
  'first_login.ended':
    'Funciona una sola vez, en la hora que sigue al primer arranque y hasta que se detenga el servicio. Inicie sesión con la contraseña que se mostró con él.',

  'link.title': 'Continuar el inicio de sesión',
  'link.lead': 'en <b>{client}</b>, como {address}',
  'link.elsewhere_title': 'Continúe donde empezó',
  'link.elsewhere':
    'Este mensaje se pidió en <b>{browser}</b>, {minutes, plural, =0 {ahora mismo} one {hace # minuto} many {hace # minutos} other {hace # minutos}}. Su enlace solo funciona en ese navegador.',
  'link.if_you': 'Si fue usted, introduzca allí el código del mensaje.',
  'link.if_not_you': 'Si no, no dé el código a nadie y cierre esta página: no ha pasado nada.',
  'link.ended_title': 'Este enlace ya no es válido',
  'link.ended': 'Funciona una sola vez, durante 10 minutos. Vuelva a la aplicación y pida otro.',
  'browser.unknown': 'otro navegador',
  'browser.on': '{browser} en {system}',

  'leave.title': 'Un momento',
  'leave.back': 'Vuelve a <link>{host}</link>.',
  'leave.provider': 'Inicia sesión en <link>{host}</link>.',
  'leave.continue': 'Continuar a {host}',
  'start_again.title': 'Este inicio de sesión no puede continuar',
  'start_again.lead':
    'El enlace se abrió demasiado tarde o por segunda vez, o la aplicación envió una solicitud incorrecta. No se ha cambiado nada. Empiece de nuevo en la aplicación.',
  'stopped.title': 'La aplicación no puede continuar',
  'stopped.lead':
    'No se ha compartido nada con la aplicación ni se ha cambiado nada. Nunca le ha permitido usar su cuenta.',
  'stopped.host':
    'Quiere enviarle a <b>{host}</b>. Nadie ha comprobado esta dirección: continúe solo si la conoce.',
  'too_old.title': 'Esta página es demasiado antigua',
  'too_old.lead': 'No se ha hecho nada. Puede empezar de nuevo.',
  'too_old.again': 'Empezar de nuevo',

  'home.title': 'Le damos la bienvenida',
  'home.console': 'Consola',
  'home.console_about': 'Administrar usuarios, aplicaciones y ajustes.',
  'home.account': 'Cuenta',
  'home.account_about': 'Su perfil, sus métodos de inicio de sesión y sus sesiones.',
  'home.reference': 'Referencia de la API',
  'home.reference_about': 'Todos los endpoints, con sus campos y errores.',
  'home.docs': 'Documentación',
  'home.docs_about': 'Las guías están en la carpeta {folder} del código fuente.',
};
