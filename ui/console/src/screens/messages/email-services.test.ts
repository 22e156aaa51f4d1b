import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tenantMail } from '../../generated/facts.ts';
import { EMAIL_SERVICES, serviceOf, settingsOfService } from './email-services.ts';

it('The settings of each email service are values of the form, and name the service again', () => {
  for (const service of EMAIL_SERVICES) {
    const settings = settingsOfService(service);
    for (const [name, value] of Object.entries(settings)) {
      const field = tenantMail.find((facts) => facts.name === name);
      assert.ok(field, name);
      if (field.pattern !== undefined) assert.match(value, new RegExp(field.pattern));
      if (field.choices) assert.ok(field.choices.includes(value));
    }
    assert.equal(serviceOf(settings), service);
  }
  assert.equal(serviceOf({ smtp_host: 'email-smtp.eu-central-1.amazonaws.com' }), 'ses');
  assert.equal(serviceOf({ smtp_host: 'mail.acme.example' }), undefined);
  assert.equal(serviceOf({}), undefined);
});
