import { scopesToReceive } from '@keywright/contract/event-scopes';
import { EVENT_TYPES, EVENTS, type EventType } from '@keywright/contract/events';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { fields, prose } from './fields.ts';

/** The way to each type of event. Routes have ids of their own on the page. */
export function eventContents(): Html {
  return html`<h2>types of events</h2>
    <ul>
      ${EVENT_TYPES.map((type) => html`<li><a href="#event-${type}">${type}</a></li>`)}
    </ul>`;
}

/** What each type of event means, and what its data consists of. */
export function eventSections(): Html[] {
  return EVENT_TYPES.map(section);
}

function section(type: EventType): Html {
  const { meaning, isSpecified, data } = EVENTS[type];
  const scopes = scopesToReceive(type).map((scope) => html` <code>${scope}</code>`);
  return html`<section id="event-${type}">
    <h2>Event ${type}</h2>
    <p>${prose(meaning)}</p>
    <p class="access">
      A webhook needs${scopes} to be sent it${isSpecified ? undefined : ', and has to name it'}.
    </p>
    ${fields('Data', data)}
  </section>`;
}
