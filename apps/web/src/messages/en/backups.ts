import { number } from '../format.ts'
import { inLanguage } from '../language.ts'

export const backups = inLanguage('backups', {
  tab: 'Backups',
  lead: 'A backup holds the whole service: database, attachments and keys. Who has it has all boards, so these pages do not hand it out; it lies in the folder of the service.',
  states: {
    off: 'This service does not back itself up. Set SPECBOARD_BACKUP_DIR to a folder on another disk, and start it again.',
    external: 'The database is PostgreSQL, which is backed up by its own means, such as pg_basebackup or pg_dump.',
    unwritable:
      'The folder of the backups cannot be written to. Make it a folder of the user that the service runs as.',
  },
  never: 'There is no good backup yet.',
  late: 'The newest good backup is too old.',
  gone: 'The file of the newest good backup is gone.',
  failed: 'The last backup failed:',
  well: 'All is well',
  lastGood: 'Last good one',
  lastFailure: 'Last failure',
  next: 'Next',
  every: 'Made',
  everyHours: (hours: number) => (hours === 1 ? 'every hour' : `every ${number(hours)} hours`),
  keep: 'Kept',
  kept: (count: number) => (count === 1 ? 'the newest' : `the newest ${number(count)}`),
  make: 'Back up now',
  running: 'A backup is being made, since',
  list: 'Backups in the folder',
  begun: 'Begun',
  file: 'File',
  size: 'Size',
  checked: 'Checked',
  verified: 'read back, hashes right',
  none: 'No backups in the folder',
  noneLead: 'The first one is made when it is due, or now.',
  command: (file: string) => `specboard restore ${file} --force`,
  restore: 'To restore one, stop the service and give the file to this command:',
})
