import { number } from '../format.ts'
import type { Messages } from '../messages.ts'

export const backups: Messages['backups'] = {
  tab: 'Sicherungen',
  lead: 'Eine Sicherung enthält den ganzen Dienst: Datenbank, Anhänge und Schlüssel. Wer sie hat, hat alle Boards. Diese Seiten geben sie darum nicht heraus; sie liegt im Ordner des Dienstes.',
  states: {
    off: 'Dieser Dienst sichert sich nicht selbst. SPECBOARD_BACKUP_DIR auf einen Ordner auf einem anderen Datenträger setzen und den Dienst neu starten.',
    external: 'Die Datenbank ist PostgreSQL, das mit eigenen Mitteln gesichert wird, etwa pg_basebackup oder pg_dump.',
    unwritable:
      'In den Ordner der Sicherungen kann nicht geschrieben werden. Er muss dem Benutzer gehören, unter dem der Dienst läuft.',
  },
  never: 'Es gibt noch keine gute Sicherung.',
  late: 'Die neueste gute Sicherung ist zu alt.',
  gone: 'Die Datei der neuesten guten Sicherung ist verschwunden.',
  failed: 'Die letzte Sicherung ist gescheitert:',
  well: 'Alles in Ordnung',
  lastGood: 'Letzte gute',
  lastFailure: 'Letzter Fehlschlag',
  next: 'Nächste',
  every: 'Erstellt',
  everyHours: hours => (hours === 1 ? 'jede Stunde' : `alle ${number(hours)} Stunden`),
  keep: 'Behalten',
  kept: count => (count === 1 ? 'die neueste' : `die neuesten ${number(count)}`),
  make: 'Jetzt sichern',
  running: 'Eine Sicherung läuft seit',
  list: 'Sicherungen im Ordner',
  begun: 'Begonnen',
  file: 'Datei',
  size: 'Größe',
  checked: 'Geprüft',
  verified: 'zurückgelesen, Prüfsummen stimmen',
  none: 'Keine Sicherungen im Ordner',
  noneLead: 'Die erste wird erstellt, wenn sie fällig ist, oder jetzt.',
  command: file => `specboard restore ${file} --force`,
  restore: 'Um eine einzuspielen, den Dienst anhalten und diesem Befehl die Datei geben:',
}
