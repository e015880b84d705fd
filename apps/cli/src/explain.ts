/** The message of a failed command: one line that says what is wrong and what to do. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const explanation = systemErrors[code]
  return explanation === undefined ? error.message : `${explanation} (${error.message})`
}

const systemErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: 'The port is in use. Stop the program that uses it, or choose another with --port (0 takes a free one).',
  EADDRNOTAVAIL: 'This machine has no such address. Choose another with --host.',
  EACCES: 'Permission denied. Choose a folder or port that this user may use, with --data-dir or --port.',
  EPERM: 'Not permitted. Choose a folder that this user may write to with --data-dir.',
  EROFS: 'The data folder cannot be written to. Choose another with --data-dir.',
  ENOENT: 'The data folder cannot be created there. Choose another with --data-dir.',
  ENOSPC: 'The disk is full. Free some space, or choose another folder with --data-dir.',
  ENOTDIR: 'The data folder is not a folder. Choose another with --data-dir.',
  EEXIST: 'The data folder is not a folder. Choose another with --data-dir.',
  SQLITE_CANTOPEN:
    'The database file cannot be opened. Check who owns the data folder, or choose another with --data-dir.',
  SQLITE_READONLY: 'The database file cannot be written to. Check who owns the data folder.',
  SQLITE_NOTADB:
    'specboard.db in the data folder is not a database. Restore a copy of it, or choose another folder with --data-dir.',
  SQLITE_CORRUPT: 'specboard.db in the data folder is damaged. Restore a copy of it.',
}
