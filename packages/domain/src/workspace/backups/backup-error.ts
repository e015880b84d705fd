/** Why a backup or a restore was refused or failed; the message says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
