import { textsOf } from './text.ts';

export const ES = textsOf({
  enterToLogIn: 'Introduce este código donde estás iniciando sesión:',
  orOpenToLogIn: 'O abre este enlace en el navegador con el que estás iniciando sesión:',
  enterToVerify: 'Introduce este código para confirmar {{identifier}}:',
  orOpen: 'O abre este enlace en el navegador en el que empezaste:',
  enterToRecover: 'Introduce este código para recuperar tu cuenta:',
  validFor: 'Válido durante {{minutes}} minutos.',
  ignore: 'Si no lo has solicitado, puedes ignorar este mensaje. No compartas nunca el código.',
  help: '¿Tienes preguntas? Escribe a {{support_email}}.',
  time: 'Fecha: {{time}}',
  device: 'Dispositivo: {{device}}',
  notYou: 'Si no has sido tú, cambia tu contraseña y revisa tus segundos factores ahora mismo.',
  openToUndo: 'Si no has sido tú, abre este enlace para deshacer el cambio:',
  sendToUndo: 'Si no has sido tú, este código secreto deshace el cambio durante 7 días:',
  invitation: {
    subject: 'Invitación a {{company}}',
    what: 'Te han invitado a {{company}}.',
    open: 'Abre este enlace para aceptar la invitación:',
    enter: 'Introduce este código secreto para aceptar la invitación:',
    validUntil: 'Válida hasta el {{valid_until}}.',
    ignore:
      'Si no esperabas esta invitación, puedes ignorar este mensaje. No compartas nunca el enlace ni el código.',
  },
  subjects: {
    login: 'Inicia sesión en {{company}}',
    verification: 'Confirma tu dirección en {{company}}',
    recovery: 'Recupera tu cuenta de {{company}}',
  },
  sms: {
    login: '{{code}} es tu código para iniciar sesión en {{company}}. No se lo des a nadie.',
    verification:
      '{{code}} es tu código para confirmar este número en {{company}}. No se lo des a nadie.',
  },
  notices: {
    'notice.new_device': [
      'Nuevo inicio de sesión en {{company}}',
      'Se ha iniciado sesión en tu cuenta desde un dispositivo nuevo.',
    ],
    'notice.factor_added': [
      'Segundo factor añadido en {{company}}',
      'Se ha añadido un segundo factor a tu cuenta.',
    ],
    'notice.factor_removed': [
      'Segundo factor eliminado en {{company}}',
      'Se ha eliminado un segundo factor de tu cuenta.',
    ],
    'notice.password_changed': [
      'Contraseña cambiada en {{company}}',
      'Se ha cambiado la contraseña de tu cuenta.',
    ],
    'notice.password_breached': [
      'Elija una nueva contraseña en {{company}}',
      'La contraseña de su cuenta aparece en una filtración de datos de otro servicio. Elija una nueva.',
    ],
    'notice.identifier_added': [
      'Dirección añadida en {{company}}',
      'Se ha añadido una dirección a tu cuenta: {{changed}}',
    ],
    'notice.identifier_removed': [
      'Dirección eliminada en {{company}}',
      'Se ha eliminado una dirección de tu cuenta: {{changed}}',
    ],
    'notice.identifier_primary': [
      'Dirección principal cambiada en {{company}}',
      'La dirección principal de tu cuenta es ahora {{changed}}.',
    ],
    'notice.identifiers_restored': [
      'Direcciones restauradas en {{company}}',
      'Se deshizo un cambio de las direcciones de tu cuenta y se cerraron todas tus sesiones.',
    ],
    'notice.recovery_begun': [
      'Recuperación de cuenta iniciada en {{company}}',
      'Alguien ha empezado a recuperar tu cuenta. Todavía no ha cambiado nada.',
    ],
    'notice.second_factor_refused': [
      'Inicio de sesión rechazado en {{company}}',
      'Alguien ha dado la contraseña o el código correctos de tu cuenta, pero no el segundo factor. Se ha rechazado el inicio de sesión.',
    ],
    'notice.identity_linked': [
      'Nueva forma de iniciar sesión en {{company}}',
      'Una cuenta de {{changed}} ya sirve para iniciar sesión en {{company}}.',
    ],
    'notice.identity_unlinked': [
      'Se ha eliminado una forma de iniciar sesión en {{company}}',
      'Una cuenta de {{changed}} ya no sirve para iniciar sesión en {{company}}.',
    ],
    'notice.account_deleted': [
      'Tu cuenta de {{company}} se ha eliminado',
      'Tu cuenta de {{company}} se ha eliminado. Ya nadie puede iniciar sesión con ella.',
    ],
    'notice.account_reclaimed': [
      'Tu cuenta de {{company}}',
      'El titular de {{changed}} ha confirmado esa dirección. Ahora pertenece a su cuenta, y se ha retirado el acceso que otros tenían a ella.',
    ],
  },
});
