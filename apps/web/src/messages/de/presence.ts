import type { Messages } from '../messages.ts'
import { listed } from './words.ts'

export const presence: Messages['presence'] = {
  label: 'Art der Anmeldung',
  byKey: 'Mit Schlüssel angemeldet: Freigaben verlangen die Person selbst.',
  byKeyShort: 'Mit Schlüssel angemeldet',
  asAgentShort: 'Als Agent angemeldet',
  byLink: 'Anmeldelink, auf dem Rechner des Dienstes:',
  asAgent:
    'Mit dem Schlüssel eines Agenten angemeldet: Was hier geschieht, gilt als seine Arbeit, und er gibt nichts frei, was eine Person verlangt.',
  channelLabel: 'Benachrichtigungen',
  channelOff: names => `Über ${listed(names)} kommen keine Nachrichten mehr an: Das Senden ist zu oft fehlgeschlagen.`,
  channels: 'Kanäle ansehen',
  close: 'Ausblenden',
}
