/** Devices without a browser, whose users log in elsewhere. */
export const DEVICE = {
  'device.title': 'Connect a device',
  'device.lead': 'Type the code that the device shows.',
  'device.lead_given':
    'Compare this code with the one that your device shows. Continue only if you have that device in front of you.',
  'device.code': 'Code of the device',
  'device.continue': 'Continue',
  'device.warning':
    'If somebody sent you the code, close this page: they would be logged in as you.',
  'device.wrong':
    'No device is waiting with this code. It may have expired: begin again on the device.',
  'device.asks': 'A device asks for this',
  'device.shows': 'It shows the code <b>{code}</b>.',
  'device.begun':
    'It asked {minutes, plural, =0 {just now} one {# minute ago} other {# minutes ago}}, from the address <b>{address}</b>.',
  'device.check':
    'Allow it only if you began this yourself, on a device that you have in front of you.',
  'device.done_title': 'The device is connected',
  'device.done': 'You are logged in there within seconds. You can close this page.',
  'device.denied_title': 'The device is not connected',
  'device.denied': 'Nothing was allowed. You can close this page.',
  'device.over_title': 'This code can no longer be used',
  'device.over': 'It has expired, or somebody has decided already. Begin again on the device.',
  'device.refused': 'This account cannot allow what the device asks for.',
} as const;
