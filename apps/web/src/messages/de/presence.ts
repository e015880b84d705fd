import type { Messages } from '../messages.ts'
import { listed } from './words.ts'

export const presence: Messages['presence'] = {
  label: 'Art der Anmeldung',
  byKey:
    'Die Anmeldung erfolgte mit einem Schlüssel: Ansehen und Arbeiten geht, Freigaben verlangen die Person selbst.',
  byKeyShort: 'Mit Schlüssel angemeldet',
  asAgentShort: 'Als Agent angemeldet',
  byLink: 'Ein Link meldet die Person selbst an; auf dem Rechner, auf dem der Dienst läuft:',
  asAgent:
    'Die Anmeldung erfolgte mit dem Schlüssel eines Agenten: Was hier geschieht, gilt als seine Arbeit, und er gibt nichts frei, was eine Person verlangt.',
  channelLabel: 'Benachrichtigungen',
  channelOff: names => `Über ${listed(names)} kommen keine Nachrichten mehr an: Das Senden ist zu oft fehlgeschlagen.`,
  channels: 'Kanäle ansehen',
  close: 'Ausblenden',
}
